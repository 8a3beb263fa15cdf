/// A decoder of the chunked transfer coding that reads a body in pieces and returns the ranges of its data.
///
/// Every line ends with CRLF. Only an extension may follow the digits of a size. Blanks before an extension are
/// rejected, although RFC 9112 tolerates them. Extensions and trailers are limited in size and discarded.
package struct ChunkedReader: Sendable {
    package enum Step: Sendable, Hashable {
        /// All bytes are consumed, and more must follow.
        case incomplete
        /// Data of the body, never empty. It may be a part of a chunk.
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

    /// Creates a reader with a limit on the bytes of all extensions and trailers together.
    package init(overheadBytes: Int = 16_384) { overheadLimit = overheadBytes }

    /// Reads from an index of the bytes, and moves the index after the consumed bytes. An error is final.
    package mutating func next(in bytes: Span<UInt8>, at position: inout Int) throws(RequestError) -> Step {
        do throws(RequestError) {
            while position < bytes.count {
                switch state {
                case .data(let left):
                    let data = position..<(position + min(left, bytes.count - position))
                    state = left > data.count ? .data(left: left - data.count) : .dataCR
                    position = data.upperBound
                    return .data(data)
                case .end: return .end
                default:
                    try consume(bytes[position])
                    position += 1
                }
            }
        } catch {
            state = .refused(error)
            throw error
        }
        if case .end = state { return .end }
        return .incomplete
    }

    /// Consumes one framing byte.
    private mutating func consume(_ byte: UInt8) throws(RequestError) {
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
            guard byte == UInt8(ascii: "\r") else { throw RequestError(.badRequest, "a chunk is longer than its size") }
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
        case .refused(let error): throw error
        case .data, .end: break
        }
    }

    private func afterSize(_ byte: UInt8, _ digits: Int, _ value: Int) throws(RequestError) -> State {
        if let digit = byte.hexadecimalDigit {
            guard digits < 15 else { throw RequestError(.contentTooLarge, "a chunk size has more than 15 digits") }
            return .size(digits: digits + 1, value: value << 4 | Int(digit))
        }
        guard digits > 0 else { throw RequestError(.badRequest, "a chunk does not begin with its size") }
        switch byte {
        case UInt8(ascii: "\r"): return .sizeLF(size: value)
        case UInt8(ascii: ";"): return .chunkExtension(size: value)
        default: throw RequestError(.badRequest, "a chunk size is malformed")
        }
    }

    private func expectLF(_ byte: UInt8) throws(RequestError) {
        guard byte == UInt8(ascii: "\n") else { throw RequestError(.badRequest, "a CR is not followed by LF") }
    }

    /// Discards one byte of an extension or trailer.
    private mutating func drop(_ byte: UInt8) throws(RequestError) {
        guard byte.isFieldValue else { throw RequestError(.badRequest, "a chunk extension or trailer contains a control character") }
        overhead += 1
        guard overhead <= overheadLimit else {
            throw RequestError(.headersTooLarge, "the chunk extensions and trailers have more than \(overheadLimit) bytes")
        }
    }

    private static var malformedTrailer: RequestError { RequestError(.badRequest, "a trailer is malformed") }
}
