/// The first line of a request: `GET /path HTTP/1.1`.
struct RequestLine {
    let method: Method
    let target: RequestTarget
    /// From an absolute-form, which goes before the Host header.
    let authority: String?
    let version: RequestHead.Version

    init(parsing line: Span<UInt8>, targetBytes: Int) throws(Refusal) {
        var methodEnd = 0
        while methodEnd < line.count, line[methodEnd].isToken { methodEnd += 1 }
        guard methodEnd > 0, methodEnd < line.count, line[methodEnd] == 0x20 else {
            throw Refusal(.badRequest, "no method and space at the beginning of the request line")
        }
        guard methodEnd <= 32 else { throw Refusal(.notImplemented, "a method that is too long") }
        var targetEnd = methodEnd + 1
        while targetEnd < line.count, line[targetEnd] != 0x20 { targetEnd += 1 }
        guard targetEnd < line.count, targetEnd > methodEnd + 1 else {
            throw Refusal(.badRequest, "no target and version in the request line")
        }
        guard targetEnd - methodEnd - 1 <= targetBytes else {
            throw Refusal(.targetTooLong, "a target of more than \(targetBytes) bytes")
        }
        version = try Self.version(line.extracting((targetEnd + 1)..<line.count))
        method = Method(line.extracting(0..<methodEnd).text)
        (target, authority) = try Self.target(line.extracting((methodEnd + 1)..<targetEnd), method)
    }

    private static func version(_ bytes: Span<UInt8>) throws(Refusal) -> RequestHead.Version {
        let prefix: StaticString = "HTTP/"
        guard bytes.count == 8, bytes.begins(with: prefix), bytes[5].isDigit, bytes[6] == UInt8(ascii: "."), bytes[7].isDigit else {
            throw Refusal(.badRequest, "no version such as HTTP/1.1 at the end of the request line")
        }
        guard bytes[5] == UInt8(ascii: "1") else { throw Refusal(.versionNotSupported, "a version other than HTTP/1") }
        return bytes[7] == UInt8(ascii: "0") ? .http10 : .http11
    }

    private static func target(_ bytes: Span<UInt8>, _ method: Method) throws(Refusal) -> (RequestTarget, authority: String?) {
        if bytes[0] == UInt8(ascii: "/") { return (try RequestTarget(parsing: bytes), nil) }
        if bytes.count == 1, bytes[0] == UInt8(ascii: "*") {
            guard method == .options else { throw Refusal(.badRequest, "the target * with another method than OPTIONS") }
            return (.server, nil)
        }
        if method == .other("CONNECT") { throw Refusal(.notImplemented, "this server is no proxy") }
        // An absolute-form, as proxies send it.
        let schemes: [StaticString] = ["http://", "https://"]
        for scheme in schemes where bytes.begins(with: scheme) {
            let start = scheme.utf8CodeUnitCount
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?") { end += 1 }
            let authority = try Authority.host(of: bytes.extracting(start..<end))
            if end == bytes.count { return (try RequestTarget(parsing: [UInt8(ascii: "/")].span), authority) }
            if bytes[end] == UInt8(ascii: "/") { return (try RequestTarget(parsing: bytes.extracting(end..<bytes.count)), authority) }
            var path = [UInt8(ascii: "/")]
            bytes.extracting(end..<bytes.count).append(to: &path)
            return (try RequestTarget(parsing: path.span), authority)
        }
        throw Refusal(.badRequest, "the target is neither a path nor a URL")
    }
}

extension Span<UInt8> {
    /// Without regard to case, as schemes are compared.
    func begins(with text: StaticString) -> Bool {
        guard count >= text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in 0..<expected.count where unsafe self[index].lowercased != expected[index].lowercased { return false }
            return true
        }
    }
}
