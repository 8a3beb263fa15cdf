extension RequestHead {
    /// Decides where the body ends and what becomes of the connection; refuses what two readers could take differently.
    convenience init(_ line: RequestLine, _ facts: FramingHeaders, _ fields: HTTPFields) throws(RequestError) {
        if facts.hostCount == 0, line.version == .http11 { throw RequestError(.badRequest, "no Host header") }
        if facts.isChunked, line.version == .http10 { throw RequestError(.badRequest, "Transfer-Encoding in HTTP/1.0") }
        if facts.isChunked, facts.length != nil { throw RequestError(.badRequest, "both Content-Length and Transfer-Encoding") }
        let framing: BodyFraming =
            if facts.isChunked { .chunked } else if let length = facts.length, length > 0 { .length(length) } else { .none }
        self.init(
            method: line.method, target: line.target, version: line.version, authority: line.authority ?? facts.host, fields: fields,
            framing: framing,
            keepsAlive: !facts.saysClose && (line.version == .http11 || facts.saysKeepAlive),
            expectsContinue: facts.expectsContinue && line.version == .http11 && framing != .none)
    }
}
