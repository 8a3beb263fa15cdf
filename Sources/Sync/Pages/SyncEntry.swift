package import Feeds

/// That a scope has an entity, without its content.
package struct SyncEntry: Sendable, Hashable {
    package let kind: PublishedKind
    package let id: String
    package let version: Int
    /// Of its document alone: lower than that of the entity where its membership came later.
    package let ownVersion: Int
    package let hash: String

    package init(kind: PublishedKind, id: String, version: Int, ownVersion: Int? = nil, hash: String) {
        self.kind = kind
        self.id = id
        self.version = version
        self.ownVersion = ownVersion ?? version
        self.hash = hash
    }
}
