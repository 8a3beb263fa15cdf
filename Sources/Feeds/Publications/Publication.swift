package import JSON
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

extension Publication: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("feed", feed)
            json.member("layer", layer.rawValue)
            json.member("revision", revision)
            json.member("from", from.description)
            json.member("until", until?.description)
            json.member("timeZone", timeZone)
        }
    }
}

extension Publication {
    /// Reads what was written of one; nil for anything else.
    package init?(_ node: JSONNode) {
        guard let id = node["id"]?.integer, let feed = node["feed"]?.string, let layer = node["layer"]?.string.flatMap(Layer.init),
            let revision = node["revision"]?.integer, let from = node["from"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        self.init(
            id: id, feed: feed, layer: layer, revision: revision, from: from, until: node["until"]?.string.flatMap { Timestamp($0) },
            timeZone: node["timeZone"]?.string ?? "UTC")
    }
}

extension FeedRevision {
    /// Reads what was written of one; nil for anything else.
    package init?(_ node: JSONNode) {
        guard let number = node["revision"]?.integer, let line = node["line"]?.string, let hash = node["hash"]?.string,
            let savedAt = node["savedAt"]?.string.flatMap({ Timestamp($0) })
        else { return nil }
        self.init(number: number, line: line, hash: hash, savedAt: savedAt)
    }
}
