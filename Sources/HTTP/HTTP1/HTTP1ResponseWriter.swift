internal import HTTPMessages

/// Writes responses as HTTP/1.1 has them into the outbox of a loop.
struct HTTP1ResponseWriter {
    private let server: ServerLoop

    init(_ server: ServerLoop) { self.server = server }

    /// `head` is that of the request, nil where it could not be read.
    func write(_ response: Response, to head: RequestHead?, keepsAlive: Bool) {
        let outbox = server.outbox
        server.opening.append(of: response.status, to: &outbox.head)
        if let prepared = response.prepared { outbox.head.append(contentsOf: prepared.lines) }
        for field in response.fields { field.append(to: &outbox.head) }
        appendFraming(response, head)
        if !keepsAlive {
            outbox.head.append("connection: close\r\n")
        } else if head?.version == .http10 {
            outbox.head.append("connection: keep-alive\r\n")
        }
        outbox.head.append("\r\n")
        if case .stored(let bytes) = response.body, head?.method != .head, !response.status.hasNoBody { outbox.append(bytes) }
    }

    private func appendFraming(_ response: Response, _ head: RequestHead?) {
        guard !response.status.hasNoBody else { return }
        if case .stored(let bytes) = response.body, response.contentLength == nil {
            server.outbox.head.append(contentsOf: bytes.lengthLine)
        } else if let count = response.contentLength ?? response.body.count {
            server.outbox.head.append("content-length: ")
            server.outbox.head.append(decimal: count)
            server.outbox.head.append("\r\n")
        } else if head?.version == .http11 {
            server.outbox.head.append("transfer-encoding: chunked\r\n")
        }
    }
}
