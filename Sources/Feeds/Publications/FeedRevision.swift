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
