package import JSON
package import Values

/// An immutable document of a feed.
package struct FeedRevision: Sendable, Equatable {
    package let number: Int
    package let line: String
    /// The SHA-256 of the document, in hexadecimal digits.
    package let hash: String
    package let savedAt: Timestamp

    package init(number: Int, line: String, hash: String, savedAt: Timestamp) {
        self.number = number
        self.line = line
        self.hash = hash
        self.savedAt = savedAt
    }
}

extension FeedRevision: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("revision", number)
        json.member("line", line)
        json.member("hash", hash)
        json.member("savedAt", savedAt.description)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        number = try object.value("revision")
        line = try object.value("line")
        hash = try object.value("hash")
        savedAt = try object.value("savedAt")
    }
}
