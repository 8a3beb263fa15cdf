package import Feeds

/// What was published of an entity, as a scope sees it.
package struct SyncRow: Sendable, Equatable {
    package let kind: PublishedKind
    package let id: String
    /// In the scope: where it came in later than it changed, that of its coming.
    package let version: Int
    /// Of the document itself.
    package let ownVersion: Int
    /// Nil of what is gone from the scope.
    package let content: Content?

    package struct Content: Sendable, Equatable {
        /// In hexadecimal digits.
        package let hash: String
        package let document: [UInt8]

        package init(hash: String, document: [UInt8]) {
            self.hash = hash
            self.document = document
        }
    }

    package init(kind: PublishedKind, id: String, version: Int, ownVersion: Int, content: Content?) {
        self.kind = kind
        self.id = id
        self.version = version
        self.ownVersion = ownVersion
        self.content = content
    }
}
