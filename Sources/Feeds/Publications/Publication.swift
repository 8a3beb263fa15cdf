package import JSON
package import Values

/// A revision on a layer of its feed for a time.
package struct Publication: Sendable, Equatable {
    /// A takeover wins while it lasts.
    package enum Layer: String, CaseIterable, Sendable, JSONDecodable { case base, takeover }

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

extension Publication: JSONEncodable, JSONDecodable {
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

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let id = object.required("id", as: Int.self)
        let feed = object.required("feed", as: String.self)
        let layer = object.required("layer", as: Layer.self)
        let revision = object.required("revision", as: Int.self)
        let from = object.required("from", as: Timestamp.self)
        let until = object.optional("until", as: Timestamp.self)
        let timeZone = object.value("timeZone", default: "UTC")
        try object.finish()
        self.init(
            id: try id(), feed: try feed(), layer: try layer(), revision: try revision(), from: try from(), until: until,
            timeZone: timeZone)
    }
}
