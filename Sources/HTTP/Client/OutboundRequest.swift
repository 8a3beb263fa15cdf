package import HTTPMessages

package struct OutboundRequest: Sendable {
    package let method: Method
    /// The escaped path and query.
    package let target: String
    package let fields: [(name: FieldName, value: String)]
    package let body: [UInt8]

    /// Creates a request. The target and the values must not contain control characters, and the target no blanks.
    package init(_ method: Method, _ target: String, fields: [(name: FieldName, value: String)] = [], body: [UInt8] = []) {
        precondition(target.hasPrefix("/") && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the target must be an escaped path")
        precondition(fields.allSatisfy { $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }, "the value of a field must be one line")
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    /// Creates a GET request.
    package init(_ target: String, fields: [(name: FieldName, value: String)] = []) { self.init(.get, target, fields: fields) }

    func bytes(to server: ServerURL) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(server.authority)\r\nAccept-Encoding: gzip\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty || method == .post || method == .put || method == .patch { head += "Content-Length: \(body.count)\r\n" }
        return Array("\(head)\r\n".utf8) + body
    }

    /// Returns the head of a request whose body follows in pieces after the server asks for it.
    func uploadHead(to server: ServerURL) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(server.authority)\r\nAccept-Encoding: gzip\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        return Array("\(head)Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n".utf8)
    }
}
