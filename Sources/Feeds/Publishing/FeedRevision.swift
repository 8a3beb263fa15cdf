package import Values

/// A document of a feed as it was saved once and for all.
package struct FeedRevision: Sendable, Equatable {
    package let number: Int
    package let line: String
    /// SHA-256 of the document, in hexadecimal digits.
    package let hash: String
    package let savedAt: Timestamp
}
