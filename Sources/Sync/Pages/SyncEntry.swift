package import Feeds

/// That a scope has an entity, without its content.
package struct SyncEntry: Sendable, Hashable {
    package let kind: PublishedKind
    package let id: String
    package let version: Int
    package let hash: String

    package init(kind: PublishedKind, id: String, version: Int, hash: String) {
        self.kind = kind
        self.id = id
        self.version = version
        self.hash = hash
    }
}
