internal import HTTP

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
