package import Time

/// A revision on a layer of its feed for a time.
package struct Publication: Sendable, Equatable {
    /// A takeover wins while it lasts.
    package enum Layer: String, Sendable { case base, takeover }

    /// Seen from a moment.
    package enum Phase: String, Sendable { case over, present, scheduled }

    package let id: Int
    package let feed: String
    package let layer: Layer
    package let revision: Int
    package let from: Timestamp
    /// Nil until somebody ends it.
    package let until: Timestamp?
    /// In which its times were given.
    package let timeZone: String

    package func phase(at moment: Timestamp) -> Phase {
        if moment < from { return .scheduled }
        return until.map { $0 <= moment } ?? false ? .over : .present
    }
}

extension Publication: CustomStringConvertible {
    package var description: String {
        "publication \(id) (revision \(revision) as \(layer.rawValue), from \(from) \(until.map { "until \($0)" } ?? "on"))"
    }
}
