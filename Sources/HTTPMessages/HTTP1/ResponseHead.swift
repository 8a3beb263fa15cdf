package struct ResponseHead: Sendable {
    package let status: Status
    package let fields: HTTPFields
    package let framing: ResponseFraming
    /// Whether the connection can carry another request.
    package let keepsAlive: Bool

    init(_ line: StatusLine, _ facts: FramingHeaders, _ fields: HTTPFields, isBodyless: Bool) throws(RequestError) {
        if facts.isChunked, facts.length != nil {
            throw RequestError(.badRequest, "the headers Content-Length and Transfer-Encoding exclude each other")
        }
        status = line.status
        self.fields = fields
        framing =
            if isBodyless || line.status.hasNoBody { .none } else if facts.isChunked { .chunked } else if let length = facts.length {
                length > 0 ? .length(length) : .none
            } else { .untilEnd }
        keepsAlive = framing != .untilEnd && !facts.saysClose && (line.isCurrent || facts.saysKeepAlive)
    }
}

/// The first line of a response: `HTTP/1.1 200 OK`.
struct StatusLine: Sendable {
    let status: Status
    /// Whether the version is HTTP/1.1, whose connections persist by default.
    let isCurrent: Bool

    init(parsing bytes: Span<UInt8>) throws(RequestError) {
        guard bytes.count >= 12, bytes.extracting(first: 7).isExactly("HTTP/1."), bytes[7] == 0x30 || bytes[7] == 0x31, bytes[8] == 0x20,
            bytes.count == 12 || bytes[12] == 0x20
        else { throw RequestError(.badRequest, "the status line is malformed") }
        var number = 0
        for index in 9..<12 {
            guard bytes[index].isDigit else { throw RequestError(.badRequest, "the status is malformed") }
            number = number * 10 + Int(bytes[index] - 0x30)
        }
        guard (100...599).contains(number) else { throw RequestError(.badRequest, "the status is not from 100 to 599") }
        status = Status(rawValue: number)
        isCurrent = bytes[7] == 0x31
    }
}

package enum ResponseFraming: Sendable, Hashable {
    case none
    case length(Int)
    case chunked
    /// The body ends with the connection.
    case untilEnd
}

/// A reader of response heads that get their bytes in pieces. It is as strict as `HTTP1HeadReader`, and its result
/// depends only on the bytes.
package struct ResponseHeadReader: ~Copyable, Sendable {
    package enum Outcome: Sendable {
        case incomplete
        case head(ResponseHead, byteCount: Int)
        case refused(RequestError)
    }

    private let limits: HTTP1Limits
    private let isBodyless: Bool
    private var lineStart = 0
    /// The end of the scanned part of the line, which has neither a line end nor a control character.
    private var scanned = 0
    private var line: StatusLine?
    private var ranges: [HTTPFields.FieldRanges] = []
    private var filter = FieldNameFilter()
    private var facts = FramingHeaders()
    private var failure: RequestError?

    /// Creates a reader. `isBodyless` is true for the response to a HEAD request.
    package init(_ limits: HTTP1Limits = HTTP1Limits(), isBodyless: Bool = false) {
        self.limits = limits
        self.isBodyless = isBodyless
    }

    /// Reads a head at the start of the bytes, which extend those of the last call. An error and a head are both final.
    package mutating func read(_ bytes: Span<UInt8>) -> Outcome {
        if let failure { return .refused(failure) }
        do throws(RequestError) {
            while let lineEnd = try endOfLine(bytes) {
                if let line, lineEnd == lineStart {
                    let head = try ResponseHead(
                        line, facts, HTTPFields(bytes.extracting(0..<lineEnd), ranges, filter), isBodyless: isBodyless)
                    return .head(head, byteCount: lineEnd + 2)
                }
                try consume(lineStart..<lineEnd, of: bytes)
                lineStart = lineEnd + 2
                scanned = lineStart
            }
            return .incomplete
        } catch {
            failure = error
            return .refused(error)
        }
    }

    /// Returns the index of the CRLF of the current line, or nil if it has not arrived.
    private mutating func endOfLine(_ bytes: Span<UInt8>) throws(RequestError) -> Int? {
        let visible = bytes.extracting(0..<min(bytes.count, limits.headerBytes))
        scanned = visible.endOfText(from: min(scanned, visible.count))
        if scanned < visible.count {
            guard visible[scanned] == UInt8(ascii: "\r") else { throw RequestError(.badRequest, "a line contains a control character") }
            if scanned + 1 < visible.count {
                guard visible[scanned + 1] == UInt8(ascii: "\n") else { throw RequestError(.badRequest, "a CR is not followed by LF") }
                return scanned
            }
        }
        guard bytes.count <= limits.headerBytes else {
            throw RequestError(.headersTooLarge, "the headers have more than \(limits.headerBytes) bytes")
        }
        return nil
    }

    private mutating func consume(_ line: Range<Int>, of bytes: Span<UInt8>) throws(RequestError) {
        guard self.line != nil else { return self.line = try StatusLine(parsing: bytes.extracting(line)) }
        guard ranges.count < limits.headerCount else {
            throw RequestError(.headersTooLarge, "there are more than \(limits.headerCount) headers")
        }
        let (name, value) = try bytes.extracting(line).fieldLine()
        let start = line.lowerBound
        let nameBytes = bytes.extracting((start + name.lowerBound)..<(start + name.upperBound))
        filter.note(nameBytes)
        try facts.note(nameBytes, bytes.extracting((start + value.lowerBound)..<(start + value.upperBound)))
        ranges.append(HTTPFields.FieldRanges(name: name, value: value, offset: start))
    }
}
