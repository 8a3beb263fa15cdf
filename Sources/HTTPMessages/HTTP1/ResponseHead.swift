/// What a server says in front of the body of its answer.
package struct ResponseHead: Sendable {
    package let status: Status
    package let fields: HTTPFields
    package let framing: ResponseFraming
    /// Whether another request may follow on the connection.
    package let keepsAlive: Bool

    init(_ line: StatusLine, _ facts: FramingHeaders, _ fields: HTTPFields, isBodyless: Bool) throws(RequestError) {
        if facts.isChunked, facts.length != nil { throw RequestError(.badRequest, "both Content-Length and Transfer-Encoding") }
        status = line.status
        self.fields = fields
        framing =
            if isBodyless || line.status.hasNoBody { .none } else if facts.isChunked { .chunked } else if let length = facts.length {
                length > 0 ? .length(length) : .none
            } else { .untilEnd }
        keepsAlive = framing != .untilEnd && !facts.saysClose && (line.isCurrent || facts.saysKeepAlive)
    }
}
