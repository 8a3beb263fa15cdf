package import Postgres

/// The queries of syncing, looked up once.
package struct SyncQueries: Sendable {
    let catalog, feeds, catalogProof, feedProof, catalogBuckets, catalogEntries, feedEntries: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        catalog = try library.query("sync.catalog")
        feeds = try library.query("sync.feeds")
        catalogProof = try library.query("sync.catalog_proof")
        feedProof = try library.query("sync.feed_proof")
        catalogBuckets = try library.query("sync.catalog_buckets")
        catalogEntries = try library.query("sync.catalog_entries")
        feedEntries = try library.query("sync.feed_entries")
    }
}
