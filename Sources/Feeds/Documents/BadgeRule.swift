package import Items
package import JSON
internal import Values

/// A rule that marks some placements of a section with a badge, such as `new`.
package struct BadgeRule: Sendable, Hashable {
    package enum Selector: Sendable, Hashable {
        case rule(Rule)
        /// The items. Never empty.
        case items([ItemReference])
    }

    package static let maxRules = 20

    package let badge: String
    package let bearers: Selector
}

extension BadgeRule {
    enum Key: String, CaseIterable { case when, on }

    init(_ json: JSONReader, below sections: Set<SectionKey>) throws(JSONReadError) {
        var object = try json.object()
        let badge = object.required("badge") { badge throws(JSONReadError) in try badge.identifier(.slug) }
        let bearers = Result { () throws(JSONReadError) in
            let (key, value) = try object.choice(of: Key.self)()
            return switch key {
            case .when: Selector.rule(try Rule(value, below: sections))
            case .on:
                Selector.items(
                    try value.distinct(1...FeedSection.maxItems) { item throws(JSONReadError) in try item.decode(as: ItemReference.self) })
            }
        }
        try object.finish()
        guard let badge else { throw object.refuse(.missingKey, at: "badge", "the badge is missing") }
        self.badge = badge
        self.bearers = try bearers.get()
    }
}

extension BadgeRule: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("badge", badge)
        switch bearers {
        case .rule(let rule): json.member(Key.when.rawValue, rule)
        case .items(let items): json.member(Key.on.rawValue, items)
        }
    }
}
