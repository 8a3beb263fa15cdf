import Feeds
import Items
import JSON
import Resolve
import Security
import TestSupport
import Testing
import Values

/// A random feed with the items that its rules find. It composes the page of one client directly, which evaluates targets and
/// `without` while it fills the slots and knows all candidates.
struct SupersetPage {
    static let seedsAtOnce: UInt64 = 250
    /// The first seeds of 250 pages each. `SUPERSETS=100000` takes more of them.
    static let firstSeeds = stride(from: 0, to: TestVariable.number("SUPERSETS") ?? 2_000, by: Int(seedsAtOnce)).map(\.self)

    struct Client: CustomStringConvertible {
        let platform: String?
        let majorVersion: Int?
        let tags: Set<String>

        /// The facts of the URL of a shared page.
        var sharedFacts: ClientFacts {
            var facts = ClientFacts()
            (facts.storefront, facts.locale, facts.platform) = (.said("us"), .said(["en"]), Fact(platform))
            return facts
        }

        var facts: ClientFacts {
            var facts = ClientFacts.nothingSaid
            (facts.storefront, facts.locale, facts.platform) = (.said("us"), .said(["en"]), Fact(platform))
            facts.appVersion = Fact(majorVersion.flatMap { Version("\($0)") })
            facts.tags = .said(tags)
            return facts
        }

        var description: String { "\(platform ?? "-") \(majorVersion.map(String.init) ?? "-") \(tags.sorted())" }
    }

    struct ClientTarget: Sendable {
        let json: String
        let includes: @Sendable (Client) -> Bool
    }

    struct Pin {
        let slot: Int
        /// The number of the item, or nil if the pin is a card.
        let item: Int?
        let target: ClientTarget?

        var name: String { item.map(String.init) ?? "~c\(slot)" }
    }

    struct Section {
        let key: String
        let size: Int
        let minItems: Int
        let target: ClientTarget?
        let pins: [Pin]
        let excluded: [Int]
        let without: [String]
        /// Whether the rule has no other condition.
        let hasOnlyWithout: Bool
        let rotates: Bool
        /// All items that the rule finds, in their order.
        let order: [Int]
    }

    private static let itemCount = 30
    private static let targets = [
        ClientTarget(json: #"{"platforms": ["ios"]}"#) { $0.platform == "ios" },
        ClientTarget(json: #"{"appVersion": ">=3"}"#) { ($0.majorVersion ?? 0) >= 3 },
        ClientTarget(json: #"{"appVersion": "<3"}"#) { ($0.majorVersion ?? 9) < 3 },
        ClientTarget(json: #"{"tags": ["beta"]}"#) { $0.tags.contains("beta") },
        ClientTarget(json: #"{"tags": ["vip", "staff"]}"#) { $0.tags.contains("vip") },
        ClientTarget(json: #"{"platforms": ["android", "ipados"], "tags": ["beta", "vip"]}"#) {
            ["android", "ipados"].contains($0.platform) && !$0.tags.isEmpty
        },
        ClientTarget(json: #"{"storefronts": ["us", "de"]}"#) { _ in true }, ClientTarget(json: #"{"storefronts": ["de"]}"#) { _ in false },
        ClientTarget(json: #"{"locales": ["en"]}"#) { _ in true }, ClientTarget(json: #"{"locales": ["de"]}"#) { _ in false },
    ]

    private var random: SeededRandom
    private let context: RuleContext
    private let rotation: Rotation
    /// The step of the rotations.
    private let step: Int
    private(set) var sections: [Section] = []

    init(seed: UInt64) throws {
        random = SeededRandom(seed: seed)
        let storefront = Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        context = RuleContext(storefront: storefront, today: try #require(CalendarDay("2026-03-01")))
        rotation = Rotation(seed: "s", every: try #require(RotationPeriod("P1D")))
        step = Int.random(in: 0..<1_000, using: &random)
        for index in 0..<number(2...6) {
            let section = section("s\(index)")
            sections.append(section)
        }
    }

    // MARK: Documents

    private mutating func section(_ key: String) -> Section {
        let size = number(1...5)
        let items = Array(0..<Self.itemCount).shuffled(using: &random)
        var slots = Array(0..<size).shuffled(using: &random)[...]
        var pins: [Pin] = []
        for item in items.prefix(max(0, number(-1...3))) {
            guard let slot = slots.popFirst() else { break }
            pins.append(Pin(slot: slot, item: chance(3) ? nil : item, target: chance(2) ? target() : nil))
        }
        let pinned = pins.compactMap(\.item)
        var without = sections.map(\.key).filter { _ in Bool.random(using: &random) }
        if chance(3) { without = [] }
        // Sections have many items in common, so that pins, candidates and sections above compete for them.
        let found = Array(0..<16).shuffled(using: &random).prefix(number(0...16))
        return Section(
            key: key, size: size, minItems: chance(2) ? 1 : number(0...size), target: chance(4) ? target() : nil, pins: pins,
            excluded: items.suffix(max(0, number(-2...3))).filter { !pinned.contains($0) }, without: without,
            hasOnlyWithout: !without.isEmpty && chance(4), rotates: chance(3), order: Array(found))
    }

    private mutating func target() -> ClientTarget { Self.targets[number(0...Self.targets.count - 1)] }

    var text: String {
        let list = sections.map { section in
            let pins = section.pins.map { pin in
                let content = pin.item.map { #""item": "\#(Self.id($0))""# } ?? #""card": {"key": "c\#(pin.slot)", "title": {"en": "C"}}"#
                return #"{"slot": \#(pin.slot), \#(content)\#(pin.target.map { #", "target": \#($0.json)"# } ?? "")}"#
            }
            let without = section.without.map { #"{"not": {"inSection": "\#($0)"}}"# }
            let conditions = (section.hasOnlyWithout ? [] : [#"{"kind": "topApp"}"#]) + without
            let members: [String?] = [
                #""key": "\#(section.key)", "layout": {"list": {}}, "cell": "row", "size": \#(section.size)"#,
                #""minItems": \#(section.minItems), "pins": [\#(pins.joined(separator: ", "))]"#,
                #""exclude": [\#(section.excluded.map { "\"\(Self.id($0))\"" }.joined(separator: ", "))]"#,
                #""rule": {"all": [\#(conditions.joined(separator: ", "))]}"#,
                section.rotates ? #""sort": {"rotate": {"seed": "s", "every": "P1D"}}"# : nil,
                section.target.map { #""target": \#($0.json)"# },
            ]
            return "{\(members.compactMap(\.self).joined(separator: ", "))}"
        }
        return #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(list.joined(separator: ", "))]}"#
    }

    // MARK: One client

    mutating func client() -> Client {
        let platforms = ["ios", "ipados", "android", "web", nil]
        return Client(
            platform: platforms[number(0...4)], majorVersion: chance(4) ? nil : number(1...5),
            tags: Set(["beta", "vip"].filter { _ in Bool.random(using: &random) }))
    }

    /// Returns each section that the client sees, with its items and cards.
    func shown(to client: Client) -> [String] {
        var shown: [String: [Int]] = [:]
        var page: [String] = []
        for section in sections where section.target?.includes(client) ?? true {
            let pins = section.pins.filter { $0.target?.includes(client) ?? true }
            let taken = pins.compactMap(\.item) + section.without.flatMap { shown[$0] ?? [] }
            var rest = candidates(of: section).filter { !taken.contains($0) }[...]
            var names: [String] = []
            var items: [Int] = []
            for slot in 0..<section.size {
                if let pin = pins.first(where: { $0.slot == slot }) {
                    names.append(pin.name)
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

    /// Returns the page in the same form.
    static func described(_ page: Edition) -> [String] {
        page.sections.map { section in
            let names = section.placements.map { placement in
                placement.item.flatMap { UUID($0) }.map { "\($0.low)" } ?? placement.id.split(separator: "/").last.map(String.init) ?? "?"
            }
            return "\(section.id): \(names.joined(separator: " "))"
        }
    }

    /// The candidates of a section without any limit, from the first one of the step.
    private func candidates(of section: Section) -> [Int] {
        let found = section.order.filter { !section.excluded.contains($0) }
        guard section.rotates else { return found }
        let turning = turning(section)
        let order = rotation.visible(turning, limit: turning.count, step: 0, of: 1) { Self.id($0) }
        let start = order.isEmpty ? 0 : step * (section.size - section.pins.count { $0.target == nil }) % order.count
        return Array(order[start...] + order[..<start])
    }

    /// The items of a rotation: those that no client sees as a pin of all clients.
    private func turning(_ section: Section) -> [Int] {
        section.order.filter { item in
            !section.excluded.contains(item) && !section.pins.contains { $0.item == item && $0.target == nil }
        }
    }

    // MARK: All clients

    func snapshot(of items: [UUID: Item]) throws -> FeedSnapshot {
        let document = try FeedDocument(parsing: Array(text.utf8))
        var parts: [SectionPart: ComposedItems] = [:]
        for (section, read) in zip(sections, document.sections) { parts[.shelf(read.key)] = composed(section, read.shelf) }
        let entries = FeedComposer(document, revision: 1, hashedBy: Digest.sha256).entries(parts)
        let published = entries.map {
            FeedSnapshot.Part(kind: $0.key.kind, id: $0.key.id, version: 1, document: $0.document, validUntil: nil)
        }
        return try #require(try FeedSnapshot("us", parts: published, items: items, newest: 1))
    }

    /// Composes a shelf from as many candidates as the sequencer reads.
    private func composed(_ section: Section, _ selection: ItemSelection) -> ComposedItems {
        let slots = section.size - section.pins.count { $0.target == nil }
        let candidates =
            if section.rotates {
                rotation.visible(turning(section), limit: slots + selection.itemsAbove, step: step, of: slots) { Self.id($0) }
            } else {
                Array(
                    section.order.filter { !section.excluded.contains($0) }
                        .prefix(section.size + selection.itemsAbove + section.pins.count))
            }
        var inputs = SelectionInputs(
            candidates: [nil: candidates.map { Candidate(facts: facts(of: $0)) }],
            known: Dictionary(uniqueKeysWithValues: (0..<Self.itemCount).map { (Self.id($0), facts(of: $0)) }))
        for reference in selection.references {
            if case .id(let id) = reference { inputs.references[reference] = id }
        }
        return ItemComposer(selection, inputs, replacing: nil, context).composed()
    }

    private func facts(of number: Int) -> ItemFacts {
        ItemFacts(
            id: Self.id(number), kind: .topApp, facets: [], ratingAverage: 0, ratingCount: 0, releasedOn: context.today,
            serialNumber: number, priceMinor: nil)
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

    private mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    private mutating func chance(_ one: Int) -> Bool { number(1...one) == 1 }
}
