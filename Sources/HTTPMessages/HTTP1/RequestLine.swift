/// The first line of a request: `GET /path HTTP/1.1`.
struct RequestLine: Sendable {
    let method: Method
    let target: RequestTarget
    /// The authority of an absolute-form target, which overrides the Host header.
    let authority: String?
    let version: RequestHead.Version

    init(parsing line: Span<UInt8>, targetBytes: Int) throws(RequestError) {
        let malformed = RequestError(.badRequest, "the request line has no target and version")
        guard let methodEnd = try Self.endOfMethod(line) else { throw malformed }
        var targetEnd = methodEnd + 1
        while targetEnd < line.count, line[targetEnd] != 0x20 { targetEnd += 1 }
        guard targetEnd < line.count, targetEnd > methodEnd + 1 else { throw malformed }
        guard targetEnd - methodEnd - 1 <= targetBytes else {
            throw RequestError(.targetTooLong, "the target has more than \(targetBytes) bytes")
        }
        version = try Self.version(line.extracting((targetEnd + 1)..<line.count))
        method = Method(line.extracting(0..<methodEnd))
        (target, authority) = try Self.target(line.extracting((methodEnd + 1)..<targetEnd), method)
    }

    /// Returns the index of the space after the method, or nil if the method is incomplete.
    static func endOfMethod(_ line: Span<UInt8>) throws(RequestError) -> Int? {
        var end = 0
        while end < line.count, line[end].isToken {
            guard end < 32 else { throw RequestError(.notImplemented, "the method is too long") }
            end += 1
        }
        guard end < line.count else { return nil }
        guard end > 0, line[end] == 0x20 else {
            throw RequestError(.badRequest, "the request line does not begin with a method and a space")
        }
        return end
    }

    private static func version(_ bytes: Span<UInt8>) throws(RequestError) -> RequestHead.Version {
        guard bytes.count == 8, bytes.extracting(first: 5).isExactly("HTTP/"), bytes[5].isDigit, bytes[6] == UInt8(ascii: "."),
            bytes[7].isDigit
        else { throw RequestError(.badRequest, "the request line does not end with a version such as HTTP/1.1") }
        guard bytes[5] == UInt8(ascii: "1") else {
            throw RequestError(.versionNotSupported, "the request line has a version other than HTTP/1.0 or HTTP/1.1")
        }
        return bytes[7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    private static func target(_ bytes: Span<UInt8>, _ method: Method) throws(RequestError) -> (RequestTarget, authority: String?) {
        if bytes[0] == UInt8(ascii: "/") { return (try RequestTarget(parsing: bytes), nil) }
        if bytes.isExactly("*") {
            guard method == .options else { throw RequestError(.badRequest, "the target * requires the method OPTIONS") }
            return (.server, nil)
        }
        if method == .other("CONNECT") { throw RequestError(.notImplemented, "this server is not a proxy") }
        for start in [7, 8] where bytes.count >= start {
            let scheme = bytes.extracting(first: start)
            if scheme.isWord("http://") || scheme.isWord("https://") { return try absolute(bytes.extracting(droppingFirst: start)) }
        }
        throw RequestError(.badRequest, "the target is neither a path nor a URL")
    }

    /// Parses an absolute-form target after its scheme, as sent to proxies.
    private static func absolute(_ bytes: Span<UInt8>) throws(RequestError) -> (RequestTarget, authority: String?) {
        var end = 0
        while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
        let authority = try Authority.host(of: bytes.extracting(first: end))
        if end < bytes.count, bytes[end] == UInt8(ascii: "/") {
            return (try RequestTarget(parsing: bytes.extracting(droppingFirst: end)), authority)
        }
        var path = [UInt8(ascii: "/")]
        bytes.extracting(droppingFirst: end).append(to: &path)
        return (try RequestTarget(parsing: path.span), authority)
    }
}
