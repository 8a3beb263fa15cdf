/// That a scope has an entity, without its content.
package struct SyncEntry: Sendable, Hashable {
    package let kind: String
    package let id: String
    package let version: Int
    package let hash: String

    package init(kind: String, id: String, version: Int, hash: String) {
        self.kind = kind
        self.id = id
        self.version = version
        self.hash = hash
    }
}
