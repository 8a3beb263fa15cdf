package import JSON
package import Values

/// A revision on a layer of its feed for a period.
package struct Publication: Sendable, Equatable {
    /// The layer of a publication. A takeover has precedence while it lasts.
    package enum Layer: String, CaseIterable, Sendable, JSONDecodable { case base, takeover }

    package let id: Int
    package let feed: String
    package let layer: Layer
    package let revision: Int
    package let from: Timestamp
    /// The end, or nil if the publication is open-ended.
    package let until: Timestamp?
    /// The time zone in which its times were given.
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
        "publication \(id) (revision \(revision) as \(layer.rawValue), from \(from) \(until.map { "until \($0)" } ?? "onward"))"
    }
}

extension Publication: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("feed", feed)
        json.member("layer", layer.rawValue)
        json.member("revision", revision)
        json.member("from", from.description)
        json.member("until", until?.description)
        json.member("timeZone", timeZone)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        id = try object.value("id")
        feed = try object.value("feed")
        layer = try object.value("layer")
        revision = try object.value("revision")
        from = try object.value("from")
        until = object.essential("until")
        timeZone = object.essential("timeZone", default: "UTC")
    }
}
