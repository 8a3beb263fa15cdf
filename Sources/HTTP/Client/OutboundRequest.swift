package import HTTPMessages

package struct OutboundRequest: Sendable {
    package let method: Method
    /// The escaped path and query.
    package let target: String
    package let fields: [(name: FieldName, value: String)]
    /// Further fields, whose names are known only at run time.
    private let otherFields: [(name: String, value: String)]
    package let body: [UInt8]

    /// Creates a request. The target and the values must not contain control characters, and the target no blanks. The
    /// names of the other fields must be words.
    package init(
        _ method: Method, _ target: String, fields: [(name: FieldName, value: String)] = [],
        otherFields: [(name: String, value: String)] = [], body: [UInt8] = []
    ) {
        precondition(target.hasPrefix("/") && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "the target must be an escaped path")
        let values = fields.map(\.value) + otherFields.map(\.value)
        precondition(values.allSatisfy { $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }, "the value of a field must be one line")
        precondition(otherFields.allSatisfy { $0.name.isFieldName }, "the name of a field must be a word")
        self.method = method
        self.target = target
        self.fields = fields
        self.otherFields = otherFields
        self.body = body
    }

    /// Creates a GET request.
    package init(_ target: String, fields: [(name: FieldName, value: String)] = []) { self.init(.get, target, fields: fields) }

    func bytes(to server: ServerURL) -> [UInt8] {
        var head = head(to: server)
        if !body.isEmpty || method == .post || method == .put || method == .patch { head += "Content-Length: \(body.count)\r\n" }
        return Array("\(head)\r\n".utf8) + body
    }

    /// Returns the head of a request whose body follows in pieces after the server asks for it.
    func uploadHead(to server: ServerURL) -> [UInt8] {
        Array("\(head(to: server))Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n".utf8)
    }

    private func head(to server: ServerURL) -> String {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(server.authority)\r\nAccept-Encoding: gzip\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        for field in otherFields { head += "\(field.name): \(field.value)\r\n" }
        return head
    }
}

extension String {
    /// Whether the text is the name of a header field: letters, digits, hyphens and underscores.
    package var isFieldName: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case 0x2D, 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
                default: false
                }
            }
    }
}
