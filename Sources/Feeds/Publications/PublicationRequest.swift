package import JSON
package import Values

/// The body of a request for a publication.
package struct PublicationRequest: Sendable {
    package let revision: Int
    package let layer: Publication.Layer
    package let order: PublicationOrder

    package init(revision: Int, layer: Publication.Layer, order: PublicationOrder) {
        self.revision = revision
        self.layer = layer
        self.order = order
    }
}

/// The storefronts and the period in which a revision is published.
package struct PublicationOrder: Sendable, Equatable {
    /// The storefronts. They are nil if the order is for all, including those that are added later.
    package let storefronts: [String]?
    /// The start. Default: now.
    package let from: PlannedTime?
    /// The end of a takeover, or nil if it is open-ended.
    package let until: PlannedTime?
    /// Whether an order for all storefronts may replace a base that was published for listed ones.
    package let replacesLocal: Bool

    package init(storefronts: [String]? = nil, from: PlannedTime? = nil, until: PlannedTime? = nil, replacesLocal: Bool = false) {
        self.storefronts = storefronts
        self.from = from
        self.until = until
        self.replacesLocal = replacesLocal
    }
}

package struct RollbackRequest: Sendable, Equatable {
    /// The storefronts. Default: those whose base publication has the latest start.
    package let storefronts: [String]?
    /// The revision. Default: in each storefront the previous one of its base.
    package let revision: Int?

    package init(storefronts: [String]? = nil, revision: Int? = nil) {
        self.storefronts = storefronts
        self.revision = revision
    }
}

// MARK: JSON

extension PublicationOrder {
    func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts)
        json.member("from", from)
        json.member("until", until)
        json.member("replaceLocal", replacesLocal, unless: false)
    }

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefronts = object.storefronts()
        from = object.optional("from")
        until = object.optional("until")
        replacesLocal = object.value("replaceLocal", default: false)
    }
}

extension PublicationRequest: JSONObjectEncodable, JSONDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("revision", revision)
        json.member("layer", layer.rawValue)
        order.encodeMembers(to: &json)
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let revision = object.required("revision", as: Int.self, .atLeast(1))
        layer = object.value("layer", default: .base)
        order = try PublicationOrder(&object)
        try object.finish()
        if layer == .base, order.until != nil { throw object.refuseEndOfBase() }
        self.revision = try revision()
    }
}

extension RollbackRequest: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefronts", storefronts)
        json.member("revision", revision)
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        storefronts = object.storefronts()
        revision = object.optional("revision", .atLeast(1))
    }
}

extension JSONObjectReader {
    /// Reads the storefronts of an order, which are at least one and distinct. Returns nil if the order is for all.
    fileprivate mutating func storefronts() -> [String]? {
        let rule = JSONRule<[String]>.satisfying(.invalidFormat, "expected at least one storefront, and each once") {
            !$0.isEmpty && Set($0).count == $0.count
        }
        return optional("storefronts", rule)
    }

    func refuseEndOfBase() -> JSONReadError {
        refuse("END_OF_BASE", at: "until", "a base publication lasts until the next one: omit the end, or publish a takeover")
    }
}
