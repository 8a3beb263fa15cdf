package import Postgres

/// The queries of audits, looked up once.
package struct AuditQueries: Sendable {
    let storefronts, items, buckets, settleBuckets, doubtItems, doubtKeys: NamedQuery

    package init(_ library: QueryLibrary) throws(UnknownQuery) {
        storefronts = try library.query("audit.storefronts")
        items = try library.query("audit.items")
        buckets = try library.query("audit.buckets")
        settleBuckets = try library.query("audit.settle_buckets")
        doubtItems = try library.query("audit.doubt_items")
        doubtKeys = try library.query("audit.doubt_keys")
    }
}
