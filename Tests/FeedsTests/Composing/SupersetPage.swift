import Feeds
import Items
import JSON
import Resolve
import Security
import TestSupport
import Testing
import Values

/// A random feed with the items that its rules find. It composes the page of one client directly, which evaluates targets, arms,
/// platforms and `without` while it fills the slots and knows all candidates.
struct SupersetPage {
    static let seedsAtOnce: UInt64 = 250
    /// The first seeds of 250 pages each.
    static let firstSeeds = stride(from: 0, to: TestVariable.number("SUPERSETS") ?? 2_000, by: Int(seedsAtOnce)).map(\.self)

    struct Client: CustomStringConvertible {
        let platform: String?
        let majorVersion: Int?
        let tags: Set<String>
        let id: String?
        /// The arm of the client in each experiment, by the model.
        let arms: [String: String]

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
            facts.client = Fact(id)
            return facts
        }

        var description: String {
            "\(platform ?? "-") \(majorVersion.map(String.init) ?? "-") \(tags.sorted()) \(id ?? "-") \(arms.sorted { $0.key < $1.key })"
        }
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
        /// Whether clients see only the items that run on their platform.
        let filters: Bool
        /// All items that the rule finds, in their order.
        let order: [Int]
    }

    static let platforms = ["android", "ios", "ipados", "web"]
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
        ClientTarget(json: #"{"experiment": {"weekend": ["pairs"]}}"#) { $0.arms["weekend"] == "pairs" },
        ClientTarget(json: #"{"experiment": {"weekend": ["control", "rows"]}}"#) { ["control", "rows"].contains($0.arms["weekend"]) },
        ClientTarget(json: #"{"experiment": {"dark": ["on"], "weekend": ["pairs", "rows"]}, "tags": ["beta"]}"#) {
            $0.arms["dark"] == "on" && ["pairs", "rows"].contains($0.arms["weekend"]) && $0.tags.contains("beta")
        },
        ClientTarget(json: #"{"experiment": {"unknown": ["on"]}}"#) { _ in false },
    ]

    private var random: SeededRandom
    private let context: RuleContext
    private let rotation: Rotation
    /// The step of the rotations.
    private let step: Int
    /// The platforms of clients, all of which are served.
    private let platforms: ClientPlatforms
    /// The platforms on which each item runs, or nil if it runs everywhere.
    private let runsOn: [Set<String>?]
    private let experiments: [ModelExperiment]
    private let holdoutShare: Int
    private(set) var sections: [Section] = []

    init(seed: UInt64, platforms: [String] = SupersetPage.platforms) throws {
        var random = SeededRandom(seed: seed)
        let storefront = Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        context = RuleContext(storefront: storefront, today: try #require(CalendarDay("2026-03-01")))
        rotation = Rotation(seed: "s", every: try #require(RotationPeriod("P1D")))
        step = Int.random(in: 0..<1_000, using: &random)
        self.platforms = ClientPlatforms(all: platforms, served: platforms)
        runsOn = (0..<Self.itemCount).map { _ -> Set<String>? in
            guard let first = platforms.randomElement(using: &random), Bool.random(using: &random) else { return nil }
            return Set(platforms.filter { _ in Bool.random(using: &random) }).union([first])
        }
        experiments = ["dark": ["off", "on"], "weekend": ["control", "pairs", "rows"]].sorted { $0.key < $1.key }.map { key, arms in
            ModelExperiment(key: key, arms: arms, &random)
        }
        holdoutShare = [0, 20].randomElement(using: &random) ?? 0
        self.random = random
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
            hasOnlyWithout: !without.isEmpty && chance(4), rotates: chance(3), filters: !chance(5), order: Array(found))
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
                section.filters ? nil : #""eligibility": "none""#, section.target.map { #""target": \#($0.json)"# },
            ]
            return "{\(members.compactMap(\.self).joined(separator: ", "))}"
        }
        return #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(list.joined(separator: ", "))]}"#
    }

    // MARK: One client

    mutating func client() -> Client {
        let platform = (Self.platforms.map(\.self) + [nil])[number(0...4)]
        let id = chance(6) ? nil : "client-\(number(0...999))"
        let arms = experiments.map { ($0.key, $0.arm(of: id, holdoutShare: holdoutShare)) }
        return Client(
            platform: platform, majorVersion: chance(4) ? nil : number(1...5),
            tags: Set(["beta", "vip"].filter { _ in Bool.random(using: &random) }), id: id, arms: Dictionary(uniqueKeysWithValues: arms))
    }

    private func isEligible(_ item: Int, in section: Section, on platform: String?) -> Bool {
        guard section.filters, let platform, let own = runsOn[item] else { return true }
        return own.contains(platform)
    }

    /// Returns the pins that all clients of a platform see.
    private func fixedPins(of section: Section, on platform: String?) -> [Pin] {
        section.pins.filter { $0.target == nil && $0.item.map { isEligible($0, in: section, on: platform) } ?? true }
    }

    /// Returns each section that the client sees, with its items and cards.
    func shown(to client: Client) -> [String] {
        var shown: [String: [Int]] = [:]
        var page: [String] = []
        for section in sections where section.target?.includes(client) ?? true {
            let pins = section.pins.filter { pin in
                pin.target?.includes(client) ?? true && pin.item.map { isEligible($0, in: section, on: client.platform) } ?? true
            }
            let taken = pins.compactMap(\.item) + section.without.flatMap { shown[$0] ?? [] }
            var rest = candidates(of: section, on: client.platform).filter { !taken.contains($0) }[...]
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

    /// The candidates of a section for the clients of a platform without any limit, from the first one of the step.
    private func candidates(of section: Section, on platform: String?) -> [Int] {
        let found = section.order.filter { !section.excluded.contains($0) && isEligible($0, in: section, on: platform) }
        guard section.rotates else { return found }
        let turning = turning(section, on: platform)
        let order = rotation.visible(turning, limit: turning.count, step: 0, of: 1) { Self.id($0) }
        let start = order.isEmpty ? 0 : step * (section.size - fixedPins(of: section, on: platform).count) % order.count
        return Array(order[start...] + order[..<start])
    }

    /// The items of a rotation for the clients of a platform: those that they do not see as a pin of all clients.
    private func turning(_ section: Section, on platform: String?) -> [Int] {
        section.order.filter { item in
            !section.excluded.contains(item) && isEligible(item, in: section, on: platform)
                && !section.pins.contains { $0.item == item && $0.target == nil }
        }
    }

    // MARK: All clients

    func snapshot(of items: [UUID: Item]) throws -> FeedSnapshot {
        let document = try FeedDocument(parsing: Array(text.utf8))
        var parts: [SectionPart: ComposedItems] = [:]
        for (section, read) in zip(sections, document.sections) { parts[.shelf(read.key)] = composed(section, read.shelf) }
        var registry = ExperimentRegistry(holdout: Holdout(salt: "held", share: holdoutShare))
        for experiment in experiments {
            let published = try #require(experiment.published)
            registry.experiments[experiment.key] = published
        }
        let composer = FeedComposer(document, revision: 1, registry: registry.used(by: document, in: "us"), hashedBy: Digest.sha256)
        let entries = composer.entries(parts)
        let published = entries.map {
            FeedSnapshot.Part(kind: $0.key.kind, id: $0.key.id, version: 1, document: $0.document, validUntil: nil)
        }
        return try #require(try FeedSnapshot("us", parts: published, items: items, newest: 1))
    }

    /// Composes a shelf from as many candidates as the sequencer reads for the clients of each platform.
    private func composed(_ section: Section, _ selection: ItemSelection) -> ComposedItems {
        var inputs = SelectionInputs(known: Dictionary(uniqueKeysWithValues: (0..<Self.itemCount).map { (Self.id($0), facts(of: $0)) }))
        inputs.platforms = platforms
        for reference in selection.references {
            if case .id(let id) = reference { inputs.references[reference] = id }
        }
        let served: [String?] = [nil] + (section.filters ? platforms.served.map(\.self) : [])
        if section.rotates {
            for platform in served {
                let slots = section.size - fixedPins(of: section, on: platform).count
                let turning = turning(section, on: platform)
                let visible = rotation.visible(turning, limit: slots + selection.itemsAbove, step: step, of: slots) { Self.id($0) }
                let found = visible.map { Candidate(facts: facts(of: $0)) }
                if let platform { inputs.platformCandidates[platform] = found } else { inputs.candidates[nil] = found }
            }
        } else {
            let order = section.order.filter { !section.excluded.contains($0) }
            let limit = section.size + selection.itemsAbove + section.pins.count
            let needed = Set(served.flatMap { platform in order.filter { isEligible($0, in: section, on: platform) }.prefix(limit) })
            inputs.candidates[nil] = order.filter(needed.contains).map { Candidate(facts: facts(of: $0)) }
        }
        return ItemComposer(selection, inputs, replacing: nil, context).composed()
    }

    private func facts(of number: Int) -> ItemFacts {
        let facets = (runsOn[number] ?? Set(platforms.all)).map { "on:\($0)" }
        return ItemFacts(
            id: Self.id(number), kind: .topApp, facets: Set(facets), ratingAverage: 0, ratingCount: 0, releasedOn: context.today,
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

/// An experiment whose arms divide the places in tens, in a model that shares no code with the program.
private struct ModelExperiment {
    let key: String
    /// The first place of each arm, in ascending order.
    private let arms: [(name: String, first: Int)]
    /// The winner, or nil if the experiment has not ended.
    private let winner: String?
    private let isDraft: Bool

    init(key: String, arms: [String], _ random: inout SeededRandom) {
        self.key = key
        let cuts = [0] + (1...9).shuffled(using: &random).prefix(arms.count - 1).sorted().map { 10 * $0 }
        self.arms = zip(arms.shuffled(using: &random), cuts).map { (name: $0, first: $1) }
        winner = Int.random(in: 0..<5, using: &random) == 0 ? arms.randomElement(using: &random) : nil
        isDraft = Int.random(in: 0..<5, using: &random) == 0
    }

    private var standard: String { arms.map(\.name).min() ?? "" }

    var published: Experiment? {
        var ranges: [String: [Range<Int>]] = [:]
        let ends = arms.dropFirst().map(\.first) + [100]
        for (arm, end) in zip(arms, ends) { ranges[arm.name] = [arm.first..<end] }
        let state: Experiment.State =
            if let winner { .concluded(winner: winner) } else if isDraft { .draft } else { .running }
        return Experiment(salt: "salt-\(key)", arms: ranges, defaultArm: standard, state: state)
    }

    func arm(of client: String?, holdoutShare: Int) -> String {
        if let winner { return winner }
        guard !isDraft, let client, Self.place(of: client, in: "held") >= holdoutShare else { return standard }
        let place = Self.place(of: client, in: "salt-\(key)")
        return arms.last { $0.first <= place }?.name ?? standard
    }

    /// Returns the place by the steps of `docs/feeds.md`.
    private static func place(of client: String, in salt: String) -> Int {
        var h: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in "\(salt)/\(client)".utf8 { h = (h ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for factor: UInt64 in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] { h = (h ^ h / 0x2_0000_0000) &* factor }
        return Int((h ^ h / 0x2_0000_0000) % 100)
    }
}
