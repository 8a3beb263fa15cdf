internal import Postgres

/// The queries of audits.
package enum AuditQueries {
    static let storefronts = NamedQuery("audit.storefronts")
    static let items = NamedQuery("audit.items")
    static let buckets = NamedQuery("audit.buckets")
    static let settleBuckets = NamedQuery("audit.settle_buckets")
    static let doubtItems = NamedQuery("audit.doubt_items")
    static let doubtKeys = NamedQuery("audit.doubt_keys")
}
