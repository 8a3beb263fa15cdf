package import JSON

/// The publication or rollback for which a curator requests a plan. It is the body of the request.
package struct PublicationPlanRequest: Sendable {
    /// The body of a request for a publication, without the values that the server can choose.
    package struct Proposal: Sendable {
        /// The revision. Default: the newest of its line.
        package let revision: Int?
        package let line: LineKey
        /// The layer. Default: a takeover if it ends or its line is not main, or else the base.
        package let layer: Publication.Layer?
        package let order: PublicationOrder

        package init(
            revision: Int? = nil, line: LineKey = .main, layer: Publication.Layer? = nil, order: PublicationOrder = PublicationOrder()
        ) {
            self.revision = revision
            self.line = line
            self.layer = layer
            self.order = order
        }
    }

    package enum Action: Sendable {
        case publish(Proposal)
        case rollback(RollbackRequest)

        fileprivate enum Name: String, CaseIterable { case publish, rollback }
    }

    package let action: Action
    /// The storefronts whose pages are compared. Empty means all of the order.
    package let compared: [String]

    package init(_ action: Action, compared: [String] = []) {
        self.action = action
        self.compared = compared
    }

    package var isRollback: Bool { if case .rollback = action { true } else { false } }
}

// MARK: JSON

extension PublicationPlanRequest: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        switch action {
        case .publish(let proposal): json.member("publish", proposal)
        case .rollback(let rollback): json.member("rollback", rollback)
        }
        json.member("compare", compared, unless: [])
    }

    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let choice = object.choice(of: Action.Name.self)
        let rule = JSONRule<[String]>.satisfying(.invalidFormat, "expected distinct storefronts") { Set($0).count == $0.count }
        compared = object.value("compare", default: [], rule)
        let (name, value) = try choice()
        action =
            switch name {
            case .publish: .publish(try value.decode())
            case .rollback: .rollback(try value.decode())
            }
    }
}

extension PublicationPlanRequest.Proposal: JSONObjectEncodable, JSONDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("revision", revision)
        json.member("line", line.text)
        json.member("layer", layer?.rawValue)
        order.encodeMembers(to: &json)
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        revision = object.optional("revision", .atLeast(1))
        line = object.value("line", default: .main)
        layer = object.optional("layer")
        order = try PublicationOrder(&object)
        try object.finish()
        if layer == .base, order.until != nil { throw object.refuseEndOfBase() }
    }
}
