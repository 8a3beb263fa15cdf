internal import Postgres

/// The queries of syncing.
package enum SyncQueries {
    static let catalog = NamedQuery("sync.catalog")
    static let feeds = NamedQuery("sync.feeds")
    static let catalogProof = NamedQuery("sync.catalog_proof")
    static let feedProof = NamedQuery("sync.feed_proof")
    static let catalogBuckets = NamedQuery("sync.catalog_buckets")
    static let catalogEntries = NamedQuery("sync.catalog_entries")
    static let feedEntries = NamedQuery("sync.feed_entries")
}
