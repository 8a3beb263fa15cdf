package import JSON
package import Values

/// A document of a feed as it was saved once and for all.
package struct FeedRevision: Sendable, Equatable {
    package let number: Int
    package let line: String
    /// SHA-256 of the document, in hexadecimal digits.
    package let hash: String
    package let savedAt: Timestamp

    package init(number: Int, line: String, hash: String, savedAt: Timestamp) {
        self.number = number
        self.line = line
        self.hash = hash
        self.savedAt = savedAt
    }
}

extension FeedRevision: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) { json.object { encodeMembers(to: &$0) } }

    package func encodeMembers(to json: inout JSONWriter) {
        json.member("revision", number)
        json.member("line", line)
        json.member("hash", hash)
        json.member("savedAt", savedAt.description)
    }
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let number = object.required("revision", as: Int.self)
        let line = object.required("line", as: String.self)
        let hash = object.required("hash", as: String.self)
        let savedAt = object.required("savedAt", as: Timestamp.self)
        try object.finish()
        self.init(number: try number(), line: try line(), hash: try hash(), savedAt: try savedAt())
    }
}
