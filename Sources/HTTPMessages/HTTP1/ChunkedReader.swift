/// Takes the chunks off a body that comes piece by piece, and hands out where its data is.
///
/// Every line ends with CRLF, a size has digits and nothing but an extension behind them, and blanks in front of an extension are refused
/// although RFC 9112 bears with them. Extensions and trailers are read within a bound and dropped.
package struct ChunkedReader: Sendable {
    package enum Step: Sendable, Hashable {
        /// All bytes are used up, and there is more to come.
        case incomplete
        /// Data of the body, which may be a part of a chunk; never empty.
        case data(Range<Int>)
        case end
    }

    private enum State {
        case size(digits: Int, value: Int)
        case chunkExtension(size: Int)
        case sizeLF(size: Int)
        case data(left: Int)
        case dataCR
        case dataLF
        case trailer
        case trailerName
        case trailerValue
        case trailerLF
        case endLF
        case end
        case refused(RequestError)
    }

    private var state = State.size(digits: 0, value: 0)
    private let overheadLimit: Int
    private var overhead = 0

    /// The limit is on the bytes of all extensions and trailers of the body together.
    package init(overheadBytes: Int = 16_384) { overheadLimit = overheadBytes }

    /// Goes on at a place of the bytes and moves it behind what was used. A refusal is final.
    package mutating func next(in bytes: Span<UInt8>, at place: inout Int) throws(RequestError) -> Step {
        do throws(RequestError) {
            while place < bytes.count {
                switch state {
                case .data(let left):
                    let data = place..<(place + min(left, bytes.count - place))
                    state = left > data.count ? .data(left: left - data.count) : .dataCR
                    place = data.upperBound
                    return .data(data)
                case .end: return .end
                default:
                    try take(bytes[place])
                    place += 1
                }
            }
        } catch {
            state = .refused(error)
            throw error
        }
        if case .end = state { return .end }
        return .incomplete
    }

    /// One byte of what is around the data.
    private mutating func take(_ byte: UInt8) throws(RequestError) {
        switch state {
        case .size(let digits, let value): state = try afterSize(byte, digits, value)
        case .chunkExtension(let size):
            if byte == UInt8(ascii: "\r") {
                state = .sizeLF(size: size)
            } else {
                try drop(byte)
            }
        case .sizeLF(let size):
            try expectLF(byte)
            state = size > 0 ? .data(left: size) : .trailer
        case .dataCR:
            guard byte == UInt8(ascii: "\r") else { throw RequestError(.badRequest, "a chunk that is longer than its size") }
            state = .dataLF
        case .dataLF:
            try expectLF(byte)
            state = .size(digits: 0, value: 0)
        case .trailer:
            if byte == UInt8(ascii: "\r") {
                state = .endLF
            } else {
                guard byte.isToken else { throw Self.malformedTrailer }
                try drop(byte)
                state = .trailerName
            }
        case .trailerName:
            guard byte.isToken || byte == UInt8(ascii: ":") else { throw Self.malformedTrailer }
            try drop(byte)
            if byte == UInt8(ascii: ":") { state = .trailerValue }
        case .trailerValue:
            if byte == UInt8(ascii: "\r") {
                state = .trailerLF
            } else {
                try drop(byte)
            }
        case .trailerLF:
            try expectLF(byte)
            state = .trailer
        case .endLF:
            try expectLF(byte)
            state = .end
        case .refused(let refusal): throw refusal
        case .data, .end: break
        }
    }

    private func afterSize(_ byte: UInt8, _ digits: Int, _ value: Int) throws(RequestError) -> State {
        if let digit = byte.hexadecimalDigit {
            guard digits < 15 else { throw RequestError(.contentTooLarge, "a chunk size of more than 15 digits") }
            return .size(digits: digits + 1, value: value << 4 | Int(digit))
        }
        guard digits > 0 else { throw RequestError(.badRequest, "no size at the beginning of a chunk") }
        switch byte {
        case UInt8(ascii: "\r"): return .sizeLF(size: value)
        case UInt8(ascii: ";"): return .chunkExtension(size: value)
        default: throw RequestError(.badRequest, "a malformed chunk size")
        }
    }

    private func expectLF(_ byte: UInt8) throws(RequestError) {
        guard byte == UInt8(ascii: "\n") else { throw RequestError(.badRequest, "a CR without LF") }
    }

    /// A byte that is read and of no use.
    private mutating func drop(_ byte: UInt8) throws(RequestError) {
        guard byte.isFieldValue else { throw RequestError(.badRequest, "a control character in a chunk extension or a trailer") }
        overhead += 1
        guard overhead <= overheadLimit else {
            throw RequestError(.headersTooLarge, "more than \(overheadLimit) bytes of chunk extensions and trailers")
        }
    }

    private static var malformedTrailer: RequestError { RequestError(.badRequest, "a malformed trailer") }
}
