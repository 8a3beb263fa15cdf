internal import Feeds
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
