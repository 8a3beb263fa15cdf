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

    static let idPrefix: StaticString = "x-request-id: "

    private func appendHead(of response: Response, to head: RequestHead?, keepsAlive: Bool, in bytes: inout [UInt8]) {
        server.opening.append(of: response.status, to: &bytes)
        response.appendSharedFields(to: &bytes)
        if let id = response.requestID {
            bytes.append(Self.idPrefix)
            id.append(to: &bytes)
            bytes.append("\r\n")
        }
        response.appendOwnFields(to: &bytes, version: head?.version, keepsAlive: keepsAlive)
    }
}

extension Response {
    func appendSharedFields(to bytes: inout [UInt8]) {
        if let prepared { bytes.append(contentsOf: prepared.lines) }
        if let common { bytes.append(contentsOf: common.lines) }
    }

    /// Appends the other fields, those of the framing and the connection, and the empty line after them.
    func appendOwnFields(to bytes: inout [UInt8], version: RequestHead.Version?, keepsAlive: Bool) {
        for field in fields { field.append(to: &bytes) }
        appendFraming(version, to: &bytes)
        if !keepsAlive {
            bytes.append("connection: close\r\n")
        } else if version == .http10 {
            bytes.append("connection: keep-alive\r\n")
        }
        bytes.append("\r\n")
    }

    private func appendFraming(_ version: RequestHead.Version?, to bytes: inout [UInt8]) {
        guard !status.hasNoBody else { return }
        if case .stored(let body) = body, contentLength == nil {
            bytes.append(contentsOf: body.lengthLine)
        } else if let count = contentLength ?? body.count {
            bytes.append("content-length: ")
            bytes.append(decimal: count)
            bytes.append("\r\n")
        } else if version == .http11 {
            bytes.append("transfer-encoding: chunked\r\n")
        }
    }
}
