import Feeds
import Items
import JSON
import Layout
import Resolve
import Security
import TestSupport
import Testing
import Values

@testable import Publishing

/// A random feed for eight platforms, with the items that its rules find. It composes the shelves and lists of one client
/// directly: it removes what does not run on the platform of the client, and then fills the slots.
struct EligibilityPage {
    struct Client: CustomStringConvertible {
        let platform: String?
        let tags: Set<String>

        var facts: ClientFacts {
            var facts = ClientFacts.nothingSaid
            (facts.storefront, facts.locale) = (.said("us"), .said(["en"]))
            facts.platform = Fact(platform)
            facts.tags = .said(tags)
            return facts
        }

        var description: String { "\(platform ?? "-") \(tags.sorted())" }
    }

    struct Pin {
        let slot: Int
        /// The number of the item, or nil if the pin is a card.
        let item: Int?
        let tag: String?

        func isSeen(by client: Client) -> Bool { tag.map(client.tags.contains) ?? true }
    }

    struct Section {
        let key: String
        let size: Int
        let minItems: Int
        let pins: [Pin]
        let excluded: [Int]
        let without: [String]
        let filters: Bool
        let rotates: Bool
        /// The size of the list, or nil if the section has none.
        let listSize: Int?
        /// All items that the rule finds, in their order.
        let order: [Int]
    }

    /// The platforms of clients, with those whose items they run.
    static let runs: KeyValuePairs = [
        "android": ["android"], "ios": ["ios"], "ipados": ["ipados", "ios"], "linux": ["linux"], "macos": ["macos"], "tvos": ["tvos"],
        "visionos": ["visionos", "ipados"], "watchos": ["watchos"],
    ]
    static let itemCount = 40

    private var random: SeededRandom
    let platforms: ClientPlatforms
    /// The platforms that each item is made for, or nil if it runs everywhere.
    private let madeFor: [Set<String>?]
    private let rotation: Rotation
    private let context: RuleContext
    private(set) var sections: [Section] = []

    init(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let storefront = Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        context = RuleContext(storefront: storefront, today: try #require(CalendarDay("2026-03-01")))
        rotation = Rotation(seed: "s", every: try #require(RotationPeriod("P1D")))
        let all = Self.runs.map(\.key)
        platforms = ClientPlatforms(all: all, served: Array(all.shuffled(using: &random).prefix(.random(in: 1...8, using: &random))))
        // Some platforms are rare, so that few of the first candidates run there.
        let shares = all.map { _ -> Double in [0.05, 0.3, 0.9].randomElement(using: &random) ?? 1 }
        madeFor = (0..<Self.itemCount).map { _ -> Set<String>? in
            if Int.random(in: 0..<6, using: &random) == 0 { return nil }
            let own = zip(all, shares).filter { Double.random(in: 0..<1, using: &random) < $0.1 }.map(\.0)
            return own.isEmpty ? [all.randomElement(using: &random) ?? "ios"] : Set(own)
        }
        self.random = random
        for index in 0..<number(2...5) {
            let section = section("s\(index)")
            sections.append(section)
        }
    }

    private mutating func section(_ key: String) -> Section {
        let size = number(1...5)
        let items = Array(0..<Self.itemCount).shuffled(using: &random)
        var slots = Array(0..<size).shuffled(using: &random)[...]
        var pins: [Pin] = []
        for item in items.prefix(max(0, number(-1...2))) {
            guard let slot = slots.popFirst() else { break }
            pins.append(Pin(slot: slot, item: chance(4) ? nil : item, tag: chance(3) ? ["beta", "vip"][number(0...1)] : nil))
        }
        let pinned = pins.compactMap(\.item)
        let without = chance(2) ? [] : sections.map(\.key).filter { _ in Bool.random(using: &random) }
        let found = Array(0..<Self.itemCount).shuffled(using: &random).prefix(number(0...Self.itemCount))
        return Section(
            key: key, size: size, minItems: chance(2) ? 1 : number(0...size), pins: pins,
            excluded: items.suffix(max(0, number(-2...3))).filter { !pinned.contains($0) }, without: without, filters: !chance(6),
            rotates: chance(4), listSize: chance(2) ? number(1...12) : nil, order: Array(found))
    }

    var text: String {
        let list = sections.map { section in
            let pins = section.pins.map { pin in
                let content = pin.item.map { #""item": "\#(Self.id($0))""# } ?? #""card": {"key": "c\#(pin.slot)", "title": {"en": "C"}}"#
                return #"{"slot": \#(pin.slot), \#(content)\#(pin.tag.map { #", "target": {"tags": ["\#($0)"]}"# } ?? "")}"#
            }
            let conditions = [#"{"kind": "topApp"}"#] + section.without.map { #"{"not": {"inSection": "\#($0)"}}"# }
            let members: [String?] = [
                #""key": "\#(section.key)", "layout": {"list": {}}, "cell": "row", "size": \#(section.size)"#,
                #""minItems": \#(section.minItems), "pins": [\#(pins.joined(separator: ", "))]"#,
                #""exclude": [\#(section.excluded.map { "\"\(Self.id($0))\"" }.joined(separator: ", "))]"#,
                #""rule": {"all": [\#(conditions.joined(separator: ", "))]}"#,
                section.rotates ? #""sort": {"rotate": {"seed": "s", "every": "P1D"}}"# : nil,
                section.filters ? nil : #""eligibility": "none""#,
                section.listSize.map { #""seeAll": {"title": {"en": "All"}, "size": \#($0)}"# },
            ]
            return "{\(members.compactMap(\.self).joined(separator: ", "))}"
        }
        return #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(list.joined(separator: ", "))]}"#
    }

    // MARK: One client

    mutating func clients() -> [Client] {
        ([nil] + platforms.served).map { platform in
            Client(platform: platform, tags: Set(["beta", "vip"].filter { _ in Bool.random(using: &random) }))
        }
    }

    func runs(_ item: Int, on platform: String?) -> Bool {
        guard let platform, let made = madeFor[item] else { return true }
        return Self.runs.first { $0.key == platform }?.value.contains(where: made.contains) ?? false
    }

    private func isEligible(_ item: Int, in section: Section, on platform: String?) -> Bool {
        !section.filters || runs(item, on: platform)
    }

    /// Returns each section that the client sees, with its items and cards.
    func shown(to client: Client, at step: Int) -> [String] {
        var shown: [String: [Int]] = [:]
        var page: [String] = []
        for section in sections {
            let pins = section.pins.filter { pin in
                pin.isSeen(by: client) && pin.item.map { isEligible($0, in: section, on: client.platform) } ?? true
            }
            let taken = pins.compactMap(\.item) + section.without.flatMap { shown[$0] ?? [] }
            var rest = candidates(of: section, on: client.platform, at: step).filter { !taken.contains($0) }[...]
            var names: [String] = []
            var items: [Int] = []
            for slot in 0..<section.size {
                if let pin = pins.first(where: { $0.slot == slot }) {
                    names.append(pin.item.map { "\($0)" } ?? "~c\(slot)")
                    if let item = pin.item { items.append(item) }
                } else if let item = rest.popFirst() {
                    names.append("\(item)")
                    items.append(item)
                }
            }
            guard !names.isEmpty, names.count >= section.minItems else { continue }
            shown[section.key] = items
            page.append("f/\(section.key): \(names.joined(separator: " "))")
        }
        return page
    }

    /// The items that the rule finds for a client of the platform, without any limit.
    func candidates(of section: Section, on platform: String?, at step: Int) -> [Int] {
        let eligible = section.order.filter { !section.excluded.contains($0) && isEligible($0, in: section, on: platform) }
        guard section.rotates else { return eligible }
        let fixed = section.pins.filter { pin in
            pin.tag == nil && pin.item.map { isEligible($0, in: section, on: platform) } ?? true
        }
        // The first step of a rotation over all items shows the seeded order.
        let turning = eligible.filter { item in !fixed.contains { $0.item == item } }
        let order = rotation.visible(turning, limit: turning.count, step: 0, of: 1) { Self.id($0) }
        let start = order.isEmpty ? 0 : step * (section.size - fixed.count) % order.count
        return Array(order[start...] + order[..<start])
    }

    /// Returns the list of a section: its pinned items, and then the items of its rule.
    func list(of section: Section, on platform: String?) -> [Int] {
        // The list of a rotation has all items, the best rated first. All have the same rating, so the last number is first.
        let found = section.rotates ? section.order.sorted(by: >) : section.order
        let pinned = section.pins.sorted { $0.slot < $1.slot }.compactMap(\.item)
        let items = (pinned + found.filter { !pinned.contains($0) && !section.excluded.contains($0) })
            .filter { isEligible($0, in: section, on: platform) }
        return Array(items.prefix(section.listSize ?? 0))
    }

    // MARK: All clients

    /// Returns the published page at a step of its rotations.
    mutating func snapshot(of items: [UUID: Item], at step: Int) throws -> FeedSnapshot {
        let document = try FeedDocument(parsing: Array(text.utf8))
        var parts: [SectionPart: ComposedItems] = [:]
        for (section, read) in zip(sections, document.sections) {
            for (part, selection) in read.parts { parts[part] = composed(section, selection, at: step) }
        }
        let entries = FeedComposer(document, revision: 1, hashedBy: Digest.sha256).entries(parts)
        let published = entries.map {
            FeedSnapshot.Part(kind: $0.key.kind, id: $0.key.id, version: 1, document: $0.document, validUntil: nil)
        }
        return try #require(try FeedSnapshot("us", parts: published, items: items, newest: 1))
    }

    /// Composes a shelf or a list from the candidates that the queries find: one for all platforms, and one for each platform
    /// with too few of them.
    private mutating func composed(_ section: Section, _ selection: ItemSelection, at step: Int) -> ComposedItems {
        var inputs = SelectionInputs(known: Dictionary(uniqueKeysWithValues: (0..<Self.itemCount).map { (Self.id($0), facts(of: $0)) }))
        inputs.platforms = platforms
        for reference in selection.references {
            if case .id(let id) = reference { inputs.references[reference] = id }
        }
        let all = section.order.filter { !section.excluded.contains($0) }
        if section.rotates, !selection.startsWithPins {
            for platform in [nil] + platforms.all {
                let fixed = section.pins.filter { $0.tag == nil && $0.item.map { isEligible($0, in: section, on: platform) } ?? true }
                let turning = all.filter { item in
                    isEligible(item, in: section, on: platform)
                        && !section.pins.contains { $0.item == item && $0.tag == nil }
                }
                let slots = section.size - fixed.count
                let visible = rotation.visible(turning, limit: slots + selection.itemsAbove, step: step, of: slots) { Self.id($0) }
                let found = visible.map { Candidate(facts: facts(of: $0)) }
                if let platform { inputs.platformCandidates[platform] = found } else { inputs.candidates[nil] = found }
            }
        } else {
            let limit = selection.size + selection.itemsAbove + selection.pins.count
            let order = (section.rotates ? all.sorted(by: >) : all).map { Candidate(facts: facts(of: $0)) }
            let first = Array(order.prefix(limit + number(0...limit)))
            var others: [String: [Candidate]] = [:]
            for platform in platforms.served where section.filters {
                guard first.count < order.count, first.count(where: { $0.facts.runs(on: platform) }) < limit else { continue }
                others[platform] = Array(order.filter { $0.facts.runs(on: platform) }.prefix(limit))
            }
            inputs.candidates[nil] = first.merged(with: others)
        }
        return ItemComposer(selection, inputs, replacing: nil, context).composed()
    }

    private func facts(of number: Int) -> ItemFacts {
        let facets = platforms.all.filter { runs(number, on: $0) }.map { "on:\($0)" }
        return ItemFacts(
            id: Self.id(number), kind: .topApp, facets: Set(facets), ratingAverage: 0, ratingCount: 0, releasedOn: context.today,
            serialNumber: number, priceMinor: nil)
    }

    /// Returns the items of the list that a client receives in parts, each after the cursor of the one before.
    func walked(_ section: FeedSnapshot.Section, of snapshot: FeedSnapshot, by client: Client, limit: Int) throws -> [Int] {
        let list = try #require(section.list)
        let renderer = PageRenderer(
            snapshot, ServedLayouts(), PageContext(context.storefront, LocaleFallback(.english, in: context.storefront), client.facts),
            link: { _, key in key.map { ListCursor(of: list, after: $0, in: .english).texts.joined(separator: "\n") } ?? "" })
        var items: [Int] = []
        var after: OrderKey?
        for _ in 0...Self.itemCount {
            let (document, next) = try renderer.list(of: section, after: after, limit: limit)
            let part = try JSONDocument(parsing: document, limits: .page).root["section"]?["items"]?.elements
            let page = (part.map(Array.init) ?? []).compactMap { $0["item"]?.string.flatMap { UUID($0) } }
            #expect(page.count == limit || next == nil)
            items += page.map { Int($0.low) }
            guard let next else { return items }
            let cursor = try #require(ListCursor(next.split(separator: "\n").map(String.init)))
            guard case .after(let key) = cursor.position(in: section.list) else { break }
            after = key
        }
        Issue.record("the list does not end")
        return items
    }

    /// Returns the page in the form of `shown`.
    static func described(_ page: Edition) -> [String] {
        page.sections.map { section in
            let names = section.placements.map { placement in
                placement.item.flatMap { UUID($0) }.map { "\($0.low)" } ?? placement.id.split(separator: "/").last.map(String.init) ?? "?"
            }
            return "\(section.id): \(names.joined(separator: " "))"
        }
    }

    static func items() throws -> [UUID: Item] {
        var items: [UUID: Item] = [:]
        for number in 0..<itemCount {
            let json = """
                {"kind": "topApp", "id": "\(id(number))", "serialNumber": \(number), "slug": "a\(number)", "title": {"en": "A"}, \
                "categories": ["games"], "bundleId": "a.b", "developer": "D", "appVersion": "1", "sizeBytes": 9, "platforms": ["ios"], \
                "ageRating": "4+", "releaseDate": "2026-01-01"}
                """
            items[id(number)] = try Item(version: 1, document: Array(json.utf8))
        }
        return items
    }

    private static func id(_ number: Int) -> UUID { UUID(high: 0, low: UInt64(number)) }

    // MARK: Randomness

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    private mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }
}
