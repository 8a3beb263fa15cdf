package import Values

/// A revision on a layer of its feed for a time.
package struct Publication: Sendable, Equatable {
    /// A takeover wins while it lasts.
    package enum Layer: String, Sendable { case base, takeover }

    package let id: Int
    package let feed: String
    package let layer: Layer
    package let revision: Int
    package let from: Timestamp
    /// Nil until somebody ends it.
    package let until: Timestamp?
    /// In which its times were given.
    package let timeZone: String

    package init(id: Int, feed: String, layer: Layer, revision: Int, from: Timestamp, until: Timestamp?, timeZone: String) {
        self.id = id
        self.feed = feed
        self.layer = layer
        self.revision = revision
        self.from = from
        self.until = until
        self.timeZone = timeZone
    }
}

extension Publication: CustomStringConvertible {
    package var description: String {
        "publication \(id) (revision \(revision) as \(layer.rawValue), from \(from) \(until.map { "until \($0)" } ?? "on"))"
    }
}
