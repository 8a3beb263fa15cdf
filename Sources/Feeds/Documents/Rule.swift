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
    /// The item is a FoodApp for one of these diets.
    case diet([String])
    /// The item has one of these tags.
    case tag([String])
    /// The item is a TopApp of one of these developers. Case, accents and signs do not matter.
    case developer([String])
    /// The item is a FoodApp whose longest delivery time is at most this many minutes.
    case deliveryMinutes(atMost: Int)
    /// A client on one of these platforms can run the item.
    case platform([String])
    /// The item is made for one of these platforms and runs on the version.
    case runsOn([PlatformVersion])
    /// The item is a TopApp whose least age in the scheme of the storefront is at most this one.
    case ageRating(atMost: Int)
    case price(PriceCondition)
    /// The item is on sale in the storefront, at a discount of at least this share in percent. Any sale has 0.
    case discounted(atLeastPercent: Int)
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
    static let maxDeliveryMinutes = 1_440
    static let maxNameCharacters = 200
    static let maxAge = 99

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
    enum Key: String, CaseIterable {
        case all, any, not, kind, category, cuisine, diet, tag, developer, deliveryMinutes, platform, runsOn, ageRating, price, discounted
        case rating, releasedWithin, released, inSection
    }

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
        case .diet: self = .diet(try value.identifiers(.slug))
        case .tag: self = .tag(try value.identifiers(.slug))
        case .developer:
            self = .developer(
                try value.oneOrMore(JSONReader.maxIdentifiers) { name throws(JSONReadError) in
                    try Self.developer(name)
                })
        case .deliveryMinutes: self = .deliveryMinutes(atMost: try Self.atMost(value, 0...Self.maxDeliveryMinutes))
        case .platform: self = .platform(try value.identifiers(.slug))
        case .runsOn:
            self = .runsOn(
                try value.oneOrMore(JSONReader.maxIdentifiers) { version throws(JSONReadError) in try version.decode() })
        case .ageRating: self = .ageRating(atMost: try Self.atMost(value, 0...Self.maxAge))
        case .price: self = .price(try value.decode())
        case .discounted: self = try Self.discounted(value)
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

    private static func discounted(_ json: JSONReader) throws(JSONReadError) -> Rule {
        guard json.kind == .object else {
            guard json.kind == .bool, try json.decode(as: Bool.self) else {
                throw json.refuse(
                    .invalidChoice, "expected true or an object such as {\"atLeast\": 0.2}",
                    hint: json.kind == .bool ? "use {\"not\": {\"discounted\": true}}" : nil)
            }
            return .discounted(atLeastPercent: 0)
        }
        var object = try json.object()
        let share = object.required("atLeast", as: Double.self, .in(0.01...1))
        try object.finish()
        let hundredfold = try share() * 100
        let percent = Int(hundredfold.rounded())
        guard Swift.abs(hundredfold - Double(percent)) < 0.000_001 else {
            throw object.refuse(.invalidFormat, at: "atLeast", "expected a share with at most two decimals, such as 0.25")
        }
        return .discounted(atLeastPercent: percent)
    }

    private static func developer(_ json: JSONReader) throws(JSONReadError) -> String {
        let name = try json.decode(as: String.self)
        guard TextShape.line(1...maxNameCharacters).fits(name) else {
            throw json.refuse(
                .invalidFormat, "expected 1 to \(maxNameCharacters) characters, not only spaces, without control characters")
        }
        return name
    }

    private static func atMost(_ json: JSONReader, _ range: ClosedRange<Int>) throws(JSONReadError) -> Int {
        var object = try json.object()
        let bound = object.required("atMost", as: Int.self, .in(range))
        try object.finish()
        return try bound()
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
        case .diet(let slugs): json.member(Key.diet.rawValue, oneOrMore: slugs)
        case .tag(let slugs): json.member(Key.tag.rawValue, oneOrMore: slugs)
        case .developer(let names): json.member(Key.developer.rawValue, oneOrMore: names)
        case .deliveryMinutes(let minutes): json.member(Key.deliveryMinutes.rawValue) { $0.member("atMost", minutes) }
        case .platform(let keys): json.member(Key.platform.rawValue, oneOrMore: keys)
        case .runsOn(let versions): json.member(Key.runsOn.rawValue, oneOrMore: versions)
        case .ageRating(let age): json.member(Key.ageRating.rawValue) { $0.member("atMost", age) }
        case .price(let condition): json.member(Key.price.rawValue, condition)
        case .discounted(0): json.member(Key.discounted.rawValue, true)
        case .discounted(let percent): json.member(Key.discounted.rawValue) { $0.member("atLeast", Double(percent) / 100) }
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
