package import JSON
package import Values

/// An order of a curator: a revision on a layer of its feed, in all storefronts or in some.
package struct Publication: Sendable, Equatable {
    /// The layer of a publication. A takeover has precedence while it lasts.
    package enum Layer: String, CaseIterable, Sendable, JSONDecodable { case base, takeover }

    /// The period that a publication has in a storefront.
    package struct Span: Sendable, Equatable {
        package let storefront: String
        package let from: Timestamp
        /// The end, or nil if the span is open-ended.
        package let until: Timestamp?

        package init(storefront: String, from: Timestamp, until: Timestamp?) {
            self.storefront = storefront
            self.from = from
            self.until = until
        }
    }

    package let id: Int
    package let feed: String
    package let layer: Layer
    package let revision: Int
    /// The storefronts. They are nil if the order is for all, including those that are added later.
    package let storefronts: [String]?
    /// The start as ordered.
    package let from: PlannedTime
    /// The end as ordered, or nil if the publication is open-ended.
    package let until: PlannedTime?
    /// Whether it replaces bases for listed storefronts, also in a storefront that is opened again later.
    package let replacesLocal: Bool
    /// The time at which it was canceled in all of its storefronts.
    package let canceledAt: Timestamp?
    /// The periods in the storefronts from which it was not removed, sorted by storefront.
    package var spans: [Span]

    package init(
        id: Int, feed: String, layer: Layer, revision: Int, storefronts: [String]? = nil, from: PlannedTime, until: PlannedTime?,
        replacesLocal: Bool = false, canceledAt: Timestamp? = nil, spans: [Span]
    ) {
        self.id = id
        self.feed = feed
        self.layer = layer
        self.revision = revision
        self.storefronts = storefronts
        self.from = from
        self.until = until
        self.replacesLocal = replacesLocal
        self.canceledAt = canceledAt
        self.spans = spans
    }

    /// The first start in a storefront.
    package var start: Timestamp? { spans.map(\.from).min() }

    /// The last end in a storefront, or nil if a span is open-ended.
    package var end: Timestamp? {
        spans.contains { $0.until == nil } ? nil : spans.compactMap(\.until).max()
    }
}

extension Publication: CustomStringConvertible {
    package var description: String {
        let places = storefronts.map { " in \($0.joined(separator: ", "))" } ?? ""
        return
            "publication \(id) (revision \(revision) as \(layer.rawValue)\(places), from \(from) \(until.map { "until \($0)" } ?? "onward"))"
    }
}

extension Publication: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("feed", feed)
        json.member("layer", layer.rawValue)
        json.member("revision", revision)
        json.member("storefronts", storefronts)
        json.member("from", from)
        json.member("until", until)
        json.member("replaceLocal", replacesLocal, unless: false)
        json.member("canceledAt", canceledAt?.description)
        json.member("spans", spans)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        id = try object.value("id")
        feed = try object.value("feed")
        layer = try object.value("layer")
        revision = try object.value("revision")
        storefronts = object.essential("storefronts")
        from = try object.value("from")
        until = object.essential("until")
        replacesLocal = object.essential("replaceLocal", default: false)
        canceledAt = object.essential("canceledAt")
        spans = try object.value("spans")
    }
}

extension Publication.Span: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefront", storefront)
        json.member("from", from.description)
        json.member("until", until?.description)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefront = try object.value("storefront")
        from = try object.value("from")
        until = object.essential("until")
    }
}
