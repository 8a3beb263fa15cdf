package import Postgres

/// The queries of syncing, looked up once.
package struct SyncQueries: Sendable {
    let head, catalog, feeds, catalogBuckets, catalogEntries, feedEntries: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        head = try library.query("sync.head")
        catalog = try library.query("sync.catalog")
        feeds = try library.query("sync.feeds")
        catalogBuckets = try library.query("sync.catalog_buckets")
        catalogEntries = try library.query("sync.catalog_entries")
        feedEntries = try library.query("sync.feed_entries")
    }
}
