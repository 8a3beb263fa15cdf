package import Items
package import JSON
internal import Values

package indirect enum Rule: Sendable, Hashable {
    /// All of the conditions. Never empty.
    case all([Rule])
    /// At least one of the conditions. Never empty.
    case any([Rule])
    case not(Rule)
    case kind(ItemKind)
    /// The item is in one of these categories.
    case category([String])
    /// The item has one of these cuisines.
    case cuisine([String])
    case price(PriceCondition)
    /// The item has at least this average from at least this number of ratings. An item without ratings has an average
    /// of 0.
    case rating(atLeast: Double, count: Int)
    /// The item was released within this number of days up to today, in the storefront's time zone.
    case releasedWithin(days: Int)
    case released(ReleaseSpan)
    /// The item is in one of these sections, all of which are above in the same feed.
    case inSection([SectionKey])

    package static let greatestDepth = 8
    package static let maxConditions = 64
    static let maxRatings = 1_000_000_000
    static let maxDays = 3_650

    /// The number of conditions, including those that contain others.
    package var conditionCount: Int {
        switch self {
        case .all(let rules), .any(let rules): 1 + rules.reduce(0) { $0 + $1.conditionCount }
        case .not(let rule): 1 + rule.conditionCount
        default: 1
        }
    }
}

extension Rule: JSONDecodable, JSONObjectEncodable {
    enum Key: String, CaseIterable { case all, any, not, kind, category, cuisine, price, rating, releasedWithin, released, inSection }

    /// Reads a rule by itself, which can refer to any section.
    package init(from json: JSONReader) throws(JSONReadError) {
        try self.init(json, below: nil)
    }

    /// Reads the rule of a section that is below these sections.
    init(_ json: JSONReader, below sections: Set<SectionKey>?) throws(JSONReadError) {
        try self.init(json, at: 1, sections)
        guard conditionCount <= Self.maxConditions else {
            throw json.refuse(.invalidCount, "expected at most \(Self.maxConditions) conditions, found \(conditionCount)")
        }
    }

    private init(_ json: JSONReader, at depth: Int, _ sections: Set<SectionKey>?) throws(JSONReadError) {
        guard depth <= Self.greatestDepth else {
            throw json.refuse(.tooDeep, "conditions can be nested at most \(Self.greatestDepth) levels deep")
        }
        let (key, value) = try json.variant(of: Key.self)
        switch key {
        case .all: self = .all(try Self.several(value, at: depth + 1, sections))
        case .any: self = .any(try Self.several(value, at: depth + 1, sections))
        case .not: self = .not(try Rule(value, at: depth + 1, sections))
        case .kind: self = .kind(try value.decode())
        case .category: self = .category(try value.identifiers(.slug))
        case .cuisine: self = .cuisine(try value.identifiers(.slug))
        case .price: self = .price(try value.decode())
        case .rating: self = try Self.rating(value)
        case .releasedWithin: self = try Self.releasedWithin(value)
        case .released: self = .released(try value.decode())
        case .inSection:
            self = .inSection(
                try value.oneOrMore(FeedDocument.maxSections) { element throws(JSONReadError) in
                    try Self.section(element, among: sections)
                })
        }
    }

    private static func several(_ json: JSONReader, at depth: Int, _ sections: Set<SectionKey>?) throws(JSONReadError) -> [Rule] {
        let rules = try json.list { rule throws(JSONReadError) in try Rule(rule, at: depth, sections) }
        guard !rules.isEmpty else { throw json.refuse(.invalidCount, "expected at least one condition") }
        return rules
    }

    private static func rating(_ json: JSONReader) throws(JSONReadError) -> Rule {
        var object = try json.object()
        let atLeast = object.required("atLeast", as: Double.self, .in(0...5))
        let count = object.value("count", default: 0, .in(0...maxRatings))
        try object.finish()
        return .rating(atLeast: try atLeast(), count: count)
    }

    private static func releasedWithin(_ json: JSONReader) throws(JSONReadError) -> Rule {
        var object = try json.object()
        let days = object.required("days", as: Int.self, .in(1...maxDays))
        try object.finish()
        return .releasedWithin(days: try days())
    }

    private static func section(_ json: JSONReader, among sections: Set<SectionKey>?) throws(JSONReadError) -> SectionKey {
        let key = try json.decode(as: SectionKey.self)
        guard let sections, !sections.contains(key) else { return key }
        throw json.refuse(
            .invalidChoice, "expected the key of a section above this one, found \"\(key)\"",
            hint: key.text.nearest(among: sections.map(\.text).sorted()).map { "did you mean \"\($0)\"?" })
    }

    package func encodeMembers(to json: inout JSONWriter) {
        switch self {
        case .all(let rules): json.member(Key.all.rawValue, rules)
        case .any(let rules): json.member(Key.any.rawValue, rules)
        case .not(let rule): json.member(Key.not.rawValue, rule)
        case .kind(let kind): json.member(Key.kind.rawValue, kind)
        case .category(let keys): json.member(Key.category.rawValue, oneOrMore: keys)
        case .cuisine(let keys): json.member(Key.cuisine.rawValue, oneOrMore: keys)
        case .price(let condition): json.member(Key.price.rawValue, condition)
        case .rating(let atLeast, let count):
            json.member(Key.rating.rawValue) { json in
                json.member("atLeast", atLeast)
                json.member("count", count, unless: 0)
            }
        case .releasedWithin(let days): json.member(Key.releasedWithin.rawValue) { $0.member("days", days) }
        case .released(let span): json.member(Key.released.rawValue, span)
        case .inSection(let keys): json.member(Key.inSection.rawValue, oneOrMore: keys)
        }
    }
}
