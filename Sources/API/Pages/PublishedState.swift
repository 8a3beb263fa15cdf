internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import Layout
internal import Values

/// All that is published and shown now, as of one version, in memory.
struct PublishedState: Sendable {
    /// Of all that is published; what is here is no older.
    var version = -1
    /// Of the history that the version is of.
    var epoch: Int?
    var storefronts: [String: Storefront] = [:]
    var layouts = LayoutTable()
    var layoutVersion = 0
    var editions: [StorefrontFeed: FeedSnapshot] = [:]
    /// When the next publication begins, perhaps of a feed that is not here; nil for never.
    var nextBeginning: Timestamp?
    /// How far the clock of the database is ahead, by which publications go.
    var clockAhead = Duration.zero
}

/// What a question about pages is answered, as long as nothing is published.
struct PageResponse: Sendable {
    /// Held by the cache that it was taken from alone, so that answers keep no bytes that the cache has evicted.
    private(set) weak var representation: Representation?
    /// With all but the `Cache-Control`, which goes by the clock.
    let fields: [ResponseField]
    /// When the clock changes it; nil for never.
    let end: Timestamp?
    /// With the `Cache-Control` of an answer that the clock does not change soon.
    let steadyFields: [ResponseField]

    init(representation: Representation, fields: [ResponseField], end: Timestamp?) {
        self.representation = representation
        self.fields = fields
        self.end = end
        steadyFields = fields + [ResponseField(.cacheControl, PageService.cacheControl(.max))]
    }
}

/// A part of a section's list or the list of feeds, the same for all clients of a locale.
struct PageList: Sendable {
    struct Key: Hashable, Sendable {
        let storefront: String
        let locale: String
        /// Nil of the list of feeds.
        var section: String?
        var cursor: String?
        var limit: Int?

        var count: Int { locale.utf8.count + (section?.utf8.count ?? 0) + (cursor?.utf8.count ?? 0) }
    }

    let representation: Representation
    /// The link to the next part; nil of the last.
    var next: String?
}
