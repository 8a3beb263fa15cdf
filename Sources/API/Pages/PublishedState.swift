internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import Publishing
internal import Values

/// Everything that is published and live, as of one version, in memory.
struct PublishedState: Sendable {
    /// The version of the published head. No document in the state is older.
    var version = -1
    /// The epoch of the version.
    var epoch: Int?
    var storefronts: [String: Storefront] = [:]
    /// The storefronts with the documents that they were read from.
    var readStorefronts: [String: PageReader.ReadStorefront] = [:]
    /// The platforms that clients can have, sorted by key.
    var platforms: [String] = []
    var layouts = ServedLayouts()
    var layoutVersion = 0
    /// The number of the last change of an end, which has no version.
    var endNumber = 0
    var snapshots: [StorefrontFeed: FeedSnapshot] = [:]
    /// The feeds with unreadable documents. Their snapshots are older than the version.
    var unreadable: Set<StorefrontFeed> = []
    /// The time at which the next publication starts in each storefront with a scheduled one, possibly of a feed that is not
    /// in the state.
    var nextBeginnings: [String: Timestamp] = [:]
    /// The time by which the clock of the database, which decides about publications, is ahead.
    var clockAhead = Duration.zero
}

/// The response to a page request, valid until the next publication. A class, because a copy of a weak reference costs more than the
/// rest of a lookup.
final class PageResponse: Sendable {
    /// The representation. Only the cache owns it, so that a response does not keep bytes that the cache has evicted.
    weak let representation: Representation?
    let scope: CacheScope
    /// All fields except `Cache-Control`, which depends on the time.
    let fields: [ResponseField]
    /// The time of the next scheduled change; nil if no change is scheduled.
    let end: Timestamp?
    /// All fields, with the `Cache-Control` of a response without a scheduled change in the near future.
    let steadyFields: [ResponseField]
    /// Whether many clients send the same request.
    let isRepeatable: Bool

    /// Adds `Vary` to the fields.
    init(representation: Representation, scope: CacheScope, fields: [ResponseField], end: Timestamp?, isRepeatable: Bool = true) {
        self.representation = representation
        self.scope = scope
        self.fields = fields + [scope.vary]
        self.end = end
        steadyFields = self.fields + [scope.cacheControl(for: .max)]
        self.isRepeatable = isRepeatable
    }
}

/// A part of a section's list, or the list of feeds. It is the same for all clients of a locale and a platform.
struct PageList: Sendable {
    struct Key: Hashable, Sendable {
        let storefront: String
        let locale: String
        /// The platform, if the request names one.
        var platform: String?
        /// The section; nil if this is the list of feeds.
        var section: String?
        /// The bytes of the cursor. Two equal strings can have different bytes.
        var cursor: [UInt8]?
        var limit: Int?

        var count: Int { locale.utf8.count + (section?.utf8.count ?? 0) + (cursor?.count ?? 0) }
    }

    let representation: Representation
    /// The link to the next part; nil if this is the last part.
    var next: String?
}
