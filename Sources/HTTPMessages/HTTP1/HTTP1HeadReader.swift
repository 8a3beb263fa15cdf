/// A reader of request heads that get their bytes in pieces. Errors name the offending line.
///
/// Every line ends with CRLF. A bare CR or LF, another control character or a head beyond the limits is rejected
/// immediately. The result depends only on the bytes, not on how they are divided into pieces.
package struct HTTP1HeadReader: ~Copyable, Sendable {
    package enum Outcome: Sendable {
        case incomplete
        case head(RequestHead, byteCount: Int)
        case refused(RequestError)
    }

    private let limits: HTTP1Limits
    /// The start of the request line, after an optional empty line.
    private var start = 0
    private var lineStart = 0
    /// The end of the scanned part of the line, which has neither a line end nor a control character.
    private var scanned = 0
    private var request: RequestLine?
    private var ranges: [HTTPFields.FieldRanges] = []
    private var filter = FieldNameFilter()
    private var facts = FramingHeaders()
    private var failure: RequestError?

    package init(_ limits: HTTP1Limits = HTTP1Limits()) { self.limits = limits }

    /// Whether any byte of the next request has arrived.
    package var hasStarted: Bool { scanned > start }

    /// Whether no byte has been read, not even those of an empty line before the request.
    package var isNew: Bool { scanned == 0 }

    /// Returns whether the bytes of the last call begin a HEAD request, which may be a rejected one.
    package func isForHead(_ bytes: Span<UInt8>) -> Bool {
        bytes.count >= start + 5 && bytes.extracting(start..<(start + 5)).isExactly("HEAD ")
    }

    /// Reads a head at the start of the bytes, which extend those of the last call. An error and a head are both final:
    /// the next head needs a new reader.
    package mutating func read(_ bytes: Span<UInt8>) -> Outcome {
        if let failure { return .refused(failure) }
        do throws(RequestError) {
            while let lineEnd = try endOfLine(bytes) {
                if lineEnd > lineStart {
                    try consume(lineStart..<lineEnd, of: bytes)
                } else if let request = request.take() {
                    let fields = HTTPFields(bytes.extracting(start..<lineEnd), ranges, filter)
                    return .head(try RequestHead(request, facts, fields), byteCount: lineEnd + 2)
                } else {
                    // RFC 9112 tolerates one empty line before a request.
                    guard start == 0 else { throw RequestError(.badRequest, "empty lines precede the request") }
                    start = lineEnd + 2
                }
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
        if request == nil, lineStart < bytes.count, bytes[lineStart] != UInt8(ascii: "\r") {
            _ = try RequestLine.endOfMethod(bytes.extracting(lineStart..<bytes.count))
        }
        // 64 bytes are more than the method, the version and the separators may have.
        let lineBound = request == nil ? lineStart + limits.targetBytes + 64 : .max
        let bound = min(start + limits.headerBytes, lineBound)
        let visible = bytes.extracting(0..<min(bytes.count, bound))
        scanned = visible.endOfText(from: scanned)
        if scanned < visible.count {
            guard visible[scanned] == UInt8(ascii: "\r") else {
                throw RequestError(
                    .badRequest,
                    visible[scanned] == UInt8(ascii: "\n") ? "a line ends with LF instead of CR LF" : "a line contains a control character")
            }
            if scanned + 1 < visible.count {
                guard visible[scanned + 1] == UInt8(ascii: "\n") else { throw RequestError(.badRequest, "a CR is not followed by LF") }
                return scanned
            }
        }
        guard bytes.count <= bound else {
            throw bound == lineBound
                ? RequestError(.targetTooLong, "the target has more than \(limits.targetBytes) bytes")
                : RequestError(.headersTooLarge, "the headers have more than \(limits.headerBytes) bytes")
        }
        return nil
    }

    private mutating func consume(_ line: Range<Int>, of bytes: Span<UInt8>) throws(RequestError) {
        guard request != nil else {
            request = try RequestLine(parsing: bytes.extracting(line), targetBytes: limits.targetBytes)
            return ranges.reserveCapacity(12)
        }
        guard ranges.count < limits.headerCount else {
            throw RequestError(.headersTooLarge, "there are more than \(limits.headerCount) headers")
        }
        let (name, value) = try bytes.extracting(line).fieldLine()
        let start = line.lowerBound
        let nameBytes = bytes.extracting((start + name.lowerBound)..<(start + name.upperBound))
        filter.note(nameBytes)
        try facts.note(
            nameBytes,
            bytes.extracting((start + value.lowerBound)..<(start + value.upperBound)))
        ranges.append(HTTPFields.FieldRanges(name: name, value: value, offset: start - self.start))
    }
}

extension Span<UInt8> {
    /// Returns the ranges of the name and value in a line without control characters other than tabs.
    func fieldLine() throws(RequestError) -> (name: Range<Int>, value: Range<Int>) {
        var colon = 0
        while colon < count, self[colon].isToken { colon += 1 }
        guard colon > 0, colon < count, self[colon] == UInt8(ascii: ":") else {
            throw RequestError(.badRequest, self[0].isBlank ? "a header continues on a second line" : "a header name is malformed")
        }
        var start = colon + 1
        var end = count
        while start < end, self[start].isBlank { start += 1 }
        while end > start, self[end - 1].isBlank { end -= 1 }
        return (0..<colon, start..<end)
    }
}

extension RequestHead {
    /// Determines the framing of the body and whether the connection persists. Rejects requests that two parsers could
    /// interpret differently.
    convenience init(_ line: RequestLine, _ facts: FramingHeaders, _ fields: HTTPFields) throws(RequestError) {
        if facts.hostCount == 0, line.version == .http11 { throw RequestError(.badRequest, "the Host header is missing") }
        if facts.isChunked, line.version == .http10 { throw RequestError(.badRequest, "HTTP/1.0 does not allow Transfer-Encoding") }
        if facts.isChunked, facts.length != nil {
            throw RequestError(.badRequest, "the headers Content-Length and Transfer-Encoding exclude each other")
        }
        let framing: BodyFraming =
            if facts.isChunked { .chunked } else if let length = facts.length, length > 0 { .length(length) } else { .none }
        self.init(
            method: line.method, target: line.target, version: line.version, authority: line.authority ?? facts.host, fields: fields,
            framing: framing,
            keepsAlive: !facts.saysClose && (line.version == .http11 || facts.saysKeepAlive),
            expectsContinue: facts.expectsContinue && line.version == .http11 && framing != .none)
    }
}

package struct HTTP1Limits: Sendable {
    package var headerBytes = 16_384
    package var headerCount = 100
    package var targetBytes = 8_192

    package init() {}
}
