package import Items
package import JSON
package import Layout
package import Resolve
package import Values

/// A section of a feed: its items, their order and their layout.
package struct FeedSection: Sendable, Hashable {
    package enum Grouping: Sendable, Hashable { case none, initial }

    /// The items that a client can see.
    package enum Eligibility: String, Sendable, Hashable, CaseIterable, JSONDecodable, JSONEncodable {
        /// The items that run on the platform of the client.
        case platform
        /// All items.
        case none
    }

    package static let maxSize = 100
    package static let standardSize = 20
    /// The maximum number of items of a list.
    package static let maxItems = 1_000
    /// The maximum number of items above for which the composer selects further items.
    package static let maxItemsAbove = maxItems - maxSize
    package static let maxSkeletons = 100

    /// The fields of the JSON document, in the order in which they are written.
    package static let memberNames = [
        "key", "title", "subtitle", "header", "layout", "variants", "alternates", "cell", "cells", "size", "pins", "rule", "sort",
        "exclude", "minItems", "maxDrop", "during", "eligibility", "target", "badges", "seeAll", "continues", "group", "skeleton",
        "tracking",
    ]

    /// The key. It is the same in every revision, so that clients recognize the section.
    package let key: SectionKey
    package let title: LocalizedText?
    package let subtitle: LocalizedText?
    package let header: SectionHeaderChoice
    package let layout: LayoutChoice
    package let cells: CellStyles
    /// The pins, each at its own slot below `size` and with its own item or card.
    package let pins: [Pin]
    /// The excluded items, none of which is pinned.
    package let exclusions: [ItemReference]
    /// The rule that fills the slots without pins. It is nil only if there are pins.
    package let rule: Rule?
    /// The order of the items that the rule finds.
    package let sort: Sort
    /// The maximum number of elements on the page, including pinned ones.
    package let size: Int
    /// The number of items that the sections which the rule excludes for each client can show.
    fileprivate(set) var itemsAbove: Int
    /// The minimum number of items to update the section, which is at most `size`.
    package let minItems: Int
    /// The maximum drop in size of one update, or nil if there is no limit.
    package let maxDrop: MaxDrop?
    /// The period in which the section exists, or nil if it always does. Outside of it, the section is not published and has no
    /// items for the conditions of other sections.
    package let during: SectionPeriod?
    package let eligibility: Eligibility
    /// The target, or nil if the section is for all clients.
    package let target: Target?
    package let badges: [BadgeRule]
    package let seeAll: SeeAll?
    /// Whether clients can load more items in place.
    package let continues: Bool
    /// The grouping of the items. A grouped section continues.
    package let grouping: Grouping
    /// The number of placeholder cells that a client draws while it loads.
    package let skeleton: Int?
    /// The name under which impressions are counted. Default: `FEED.SECTION`.
    package let tracking: String

    /// Whether the section says the same as another one. The sizes of the sections above do not matter.
    func isSame(as other: FeedSection) -> Bool {
        var copy = self
        copy.itemsAbove = other.itemsAbove
        return copy == other
    }

    /// Whether the section exists at a time in a storefront with this clock.
    package func exists(at time: Timestamp, by clock: LocalClock) -> Bool { during?.includes(time, by: clock) ?? true }

    static func standardTracking(of key: SectionKey, in feed: FeedKey) -> String { "\(feed).\(key)" }
}

extension FeedSection {
    /// Reads a section. Its key and its size are added to those above even if the section is invalid, so that the sections
    /// below are checked independently.
    init(
        _ json: JSONReader, in feed: FeedKey?, _ kind: FeedDocument.Kind, below above: inout [SectionKey: Int]
    ) throws(JSONReadError) {
        var object = try json.object()
        let (sizes, sections) = (above, Set(above.keys))
        let key = object.required("key", as: SectionKey.self)
        if let key = key.value, above.updateValue(Self.standardSize, forKey: key) != nil {
            object.report(.duplicate, at: "key", "a section above already has the key \"\(key)\"")
        }
        title = object.optional("title")
        subtitle = object.optional("subtitle")
        header = object.value("header", default: .automatic)
        let layout = Result { () throws(JSONReadError) in try LayoutChoice(&object) }
        let cells = CellStyles.read(&object, slots: layout.value?.slots)
        if !CellStyles.isGiven(in: object) {
            object.report(.missingKey, at: "cell", "expected the key \"cell\", \"cells\" or both")
        }
        let size = object.optional("size", as: Int.self, .in(1...Self.maxSize))
        // If the size is invalid, only that is reported. The fields that depend on it are checked against the maximum.
        let bound = size ?? (object.has("size") ? Self.maxSize : Self.standardSize)
        if let key = key.value { above[key] = bound }
        let grouping = object.value("group", default: Grouping.none)
        var pinned: Set<ItemReference> = []
        let pinRules = Pin.Rules(size: bound, isGrouped: grouping != .none, kind: kind)
        pins = object.optional("pins") { list throws(JSONReadError) in try Pin.list(list, pinRules, items: &pinned) } ?? []
        exclusions =
            object.optional("exclude") { list throws(JSONReadError) in try Self.exclusions(list, besides: pinned) } ?? []
        let rule = object.optional("rule") { rule throws(JSONReadError) in try Rule(rule, below: sections) }
        let sort = object.optional("sort", as: Sort.self)
        minItems = object.value("minItems", default: 1, .minItems(bound))
        maxDrop = object.optional("maxDrop")
        during = object.optional("during")
        eligibility = object.value("eligibility", default: .platform)
        target = object.optional("target")
        badges =
            object.optional("badges") { list throws(JSONReadError) in
                try list.distinct(0...BadgeRule.maxRules) { badge throws(JSONReadError) in try BadgeRule(badge, below: sections) }
            } ?? []
        let continues = object.value("continues", default: false)
        self.continues = continues || grouping != .none
        let shelf = SeeAll.Shelf(
            sort: sort ?? (object.has("sort") ? nil : .standard), hasRule: object.has("rule"), continues: self.continues)
        seeAll = object.optional("seeAll") { list throws(JSONReadError) in try SeeAll(list, of: shelf) }
        skeleton = object.optional("skeleton", as: Int.self, .in(1...Self.maxSkeletons))
        let tracking = object.optional("tracking") { tracking throws(JSONReadError) in try tracking.identifier(.tracking) }
        Self.checkSource(of: object)
        if grouping == .initial, sort != .title, sort != nil || !object.has("sort") {
            object.report(
                .invalidChoice, at: "group", "items that are grouped by initial must be sorted by title",
                hint: "write \"sort\": \"title\"")
        }
        try object.finish()
        guard let cells else { throw object.refuse(.missingKey, at: "cells", "the cells are missing or invalid") }
        let own = try key()
        self.key = own
        self.layout = try layout.get()
        self.cells = cells
        self.size = bound
        self.grouping = grouping
        self.rule = rule
        itemsAbove = grouping == .none ? rule?.sectionsNotRepeated.reduce(0) { $0 + (sizes[$1] ?? 0) } ?? 0 : 0
        self.sort = sort ?? .standard
        self.tracking = tracking ?? feed.map { Self.standardTracking(of: own, in: $0) } ?? ""
    }

    private static func exclusions(_ json: JSONReader, besides pinned: Set<ItemReference>) throws(JSONReadError) -> [ItemReference] {
        try json.distinct(0...maxItems) { element throws(JSONReadError) in
            let item = try element.decode(as: ItemReference.self)
            guard !pinned.contains(item) else {
                throw element.refuse(.duplicate, "\(item) is pinned in this section and cannot be excluded")
            }
            return item
        }
    }

    private static func checkSource(of object: JSONObjectReader) {
        guard !object.has("rule") else { return }
        if object.json.node["pins"].map({ $0.kind == .array && $0.count == 0 }) ?? true {
            object.report(.missingKey, at: "rule", "a section needs pins, a rule or both")
        }
        if object.has("sort") { object.report(.missingKey, at: "sort", "a sort needs a rule") }
    }

    /// Encodes the section without its defaults, some of which depend on the feed.
    func encode(to json: inout JSONWriter, in feed: FeedKey) {
        json.object { json in
            json.member("key", key)
            json.member("title", title)
            json.member("subtitle", subtitle)
            json.member("header", header, unless: .automatic)
            layout.encodeMembers(to: &json)
            cells.encodeMembers(to: &json)
            json.member("size", size, unless: Self.standardSize)
            json.member("pins", pins, unless: [])
            json.member("exclude", exclusions, unless: [])
            json.member("rule", rule)
            json.member("sort", sort, unless: .standard)
            json.member("minItems", minItems, unless: 1)
            json.member("maxDrop", maxDrop)
            json.member("during", during)
            json.member("eligibility", eligibility, unless: .platform)
            json.member("target", target)
            json.member("badges", badges, unless: [])
            json.member("seeAll", seeAll)
            json.member("continues", continues, unless: grouping != .none)
            json.member("group", grouping, unless: .none)
            json.member("skeleton", skeleton)
            json.member("tracking", tracking, unless: Self.standardTracking(of: key, in: feed))
        }
    }
}

extension JSONRule<Int> {
    fileprivate static func minItems(_ size: Int) -> JSONRule {
        .satisfying(.outOfRange, "expected 0 to \(size), the size of the section") { (0...size).contains($0) }
    }
}

extension FeedSection.Grouping: JSONDecodable, JSONEncodable {
    private static let initialKeyword = "initial"

    package init(from json: JSONReader) throws(JSONReadError) {
        _ = try json.choice(among: [Self.initialKeyword])
        self = .initial
    }

    package func encode(to json: inout JSONWriter) { json.string(Self.initialKeyword) }
}

/// The maximum drop in the number of items that a rule finds. A larger one counts as an error.
package enum MaxDrop: Sendable, Hashable {
    /// The share of the previous items, between 0 and 1.
    case share(Double)
    case items(Int)

    package func allows(from before: Int, to after: Int) -> Bool {
        switch self {
        case .share(let share): Double(before - after) <= Double(before) * share
        case .items(let count): before - after <= count
        }
    }
}

extension MaxDrop: JSONDecodable, JSONEncodable {
    package init(from json: JSONReader) throws(JSONReadError) {
        if let count = json.node.integer, (0...FeedSection.maxItems).contains(count) {
            self = .items(count)
        } else if json.node.integer == nil, let share = json.node.double, share > 0, share < 1 {
            self = .share(share)
        } else {
            guard json.kind == .number else { throw json.mismatch("a number") }
            throw json.refuse(
                .outOfRange, "expected a share between 0 and 1, or a number of items from 0 to \(FeedSection.maxItems)",
                hint: json.node.double == 1 ? "omit this field to allow any drop" : nil)
        }
    }

    package func encode(to json: inout JSONWriter) {
        switch self {
        case .share(let share): json.number(share)
        case .items(let count): json.value(count)
        }
    }
}
