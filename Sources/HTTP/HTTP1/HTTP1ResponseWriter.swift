internal import HTTPMessages

/// Writes HTTP/1.1 responses into the output of a loop.
struct HTTP1ResponseWriter {
    private let server: ServerLoop

    init(_ server: ServerLoop) { self.server = server }

    /// `head` is the head of the request, nil if it could not be read. `isForHead` is then whether the method was HEAD.
    func write(_ response: Response, to head: RequestHead?, isForHead: Bool = false, keepsAlive: Bool) {
        appendHead(of: response, to: head, keepsAlive: keepsAlive, in: &server.output.head)
        guard case .stored(let bytes) = response.body, !isForHead, head?.method != .head, !response.status.hasNoBody else { return }
        server.output.append(bytes)
    }

    private func appendHead(of response: Response, to head: RequestHead?, keepsAlive: Bool, in bytes: inout [UInt8]) {
        server.opening.append(of: response.status, to: &bytes)
        if let prepared = response.prepared { bytes.append(contentsOf: prepared.lines) }
        if let common = response.common { bytes.append(contentsOf: common.lines) }
        if let id = response.requestID {
            bytes.append("x-request-id: ")
            id.append(to: &bytes)
            bytes.append("\r\n")
        }
        for field in response.fields { field.append(to: &bytes) }
        appendFraming(response, head, to: &bytes)
        if !keepsAlive {
            bytes.append("connection: close\r\n")
        } else if head?.version == .http10 {
            bytes.append("connection: keep-alive\r\n")
        }
        bytes.append("\r\n")
    }

    private func appendFraming(_ response: Response, _ head: RequestHead?, to bytes: inout [UInt8]) {
        guard !response.status.hasNoBody else { return }
        if case .stored(let body) = response.body, response.contentLength == nil {
            bytes.append(contentsOf: body.lengthLine)
        } else if let count = response.contentLength ?? response.body.count {
            bytes.append("content-length: ")
            bytes.append(decimal: count)
            bytes.append("\r\n")
        } else if head?.version == .http11 {
            bytes.append("transfer-encoding: chunked\r\n")
        }
    }
}
