import Feeds
import Items
import JSON
import Resolve
import Security
import Testing
import Values

/// Two heroes, each for one arm of an experiment, above a section that leaves out the items of both.
@Suite("A section below two heroes of different arms")
struct ArmShelfTests {
    private static let size = 8
    private static let heroes = [0..<6, 4..<10]
    /// The rule of the third section finds the items of both heroes first, among them two that both have.
    private static let order = [0, 9, 4, 1, 8, 5, 2, 7, 3, 6] + Array(10..<30)

    private static let text = """
        {"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [
          \(section("hero-a", #""size": 6, "target": {"experiment": {"weekend": ["a"]}}"#)),
          \(section("hero-b", #""size": 6, "target": {"experiment": {"weekend": ["b"]}}"#)),
          \(section("more", #""size": \#(size), "minItems": \#(size)"#, without: ["hero-a", "hero-b"]))]}
        """

    private static func section(_ key: String, _ members: String, without: [String] = []) -> String {
        let conditions = [#"{"kind": "topApp"}"#] + without.map { #"{"not": {"inSection": "\#($0)"}}"# }
        return
            #"{"key": "\#(key)", "layout": {"list": {}}, "cell": "row", "rule": {"all": [\#(conditions.joined(separator: ", "))]}, \#(members)}"#
    }

    private static func id(_ number: Int) -> UUID { UUID(high: 0, low: UInt64(number)) }

    private let storefront: Storefront
    private let items: [UUID: Item]

    init() throws {
        storefront = Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        items = try Dictionary(
            uniqueKeysWithValues: (0..<30).map { number in
                let json = """
                    {"kind": "topApp", "id": "\(Self.id(number))", "serialNumber": \(number), "slug": "a\(number)", "title": {"en": "A"}, \
                    "categories": ["games"], "bundleId": "a.b", "developer": "D", "appVersion": "1", "sizeBytes": 9, "platforms": ["ios"], \
                    "ageRating": "4+", "releaseDate": "2026-01-01"}
                    """
                return (Self.id(number), try Item(version: 1, document: Array(json.utf8)))
            })
    }

    /// Composes the feed from as many candidates as the sequencer reads.
    private func snapshot(_ registry: ExperimentRegistry) throws -> FeedSnapshot {
        let document = try FeedDocument(parsing: Array(Self.text.utf8))
        let context = RuleContext(storefront: storefront, today: try #require(CalendarDay("2026-03-01")))
        var parts: [SectionPart: ComposedItems] = [:]
        for (section, order) in zip(document.sections, Self.heroes.map(Array.init) + [Self.order]) {
            let facts = order.prefix(section.shelf.size + section.shelf.itemsAbove).map { number in
                ItemFacts(
                    id: Self.id(number), kind: .topApp, facets: [], ratingAverage: 0, ratingCount: 0, releasedOn: context.today,
                    serialNumber: number, priceMinor: nil)
            }
            let inputs = SelectionInputs(
                candidates: [nil: facts.map { Candidate(facts: $0) }], known: Dictionary(uniqueKeysWithValues: facts.map { ($0.id, $0) }))
            parts[.shelf(section.key)] = ItemComposer(section.shelf, inputs, replacing: nil, context).composed()
        }
        let entries = FeedComposer(document, revision: 1, registry: registry, hashedBy: Digest.sha256).entries(parts)
        let published = entries.map {
            FeedSnapshot.Part(kind: $0.key.kind, id: $0.key.id, version: 1, document: $0.document, validUntil: nil)
        }
        return try #require(try FeedSnapshot("us", parts: published, items: items, newest: 1))
    }

    /// Returns the page as a client reads it.
    private func page(_ snapshot: FeedSnapshot, for client: Fact<String>) throws -> Edition {
        var facts = ClientFacts()
        facts.client = client
        let context = PageContext(storefront, LocaleFallback(.english, in: storefront), facts)
        let page = try PageRenderer(snapshot, ServedLayouts(), context, link: { _, _ in "" }).page()
        return try JSONDocument(parsing: page, limits: .ownOutput).decodeLeniently(Edition.self).value
    }

    /// Returns the numbers of the items of each section.
    private func numbers(_ page: Edition) -> [String: [Int]] {
        Dictionary(
            uniqueKeysWithValues: page.sections.map { section in
                (section.id, section.placements.compactMap { $0.item.flatMap { UUID($0) }.map { Int($0.low) } })
            })
    }

    private func facts(_ client: String?) -> ClientFacts {
        var facts = ClientFacts.nothingSaid
        facts.client = Fact(client)
        return facts
    }

    private func weekend(_ state: Experiment.State = .running) throws -> ExperimentRegistry {
        let arms = ["a": [0..<50], "b": [50..<100]]
        let experiment = try #require(Experiment(salt: "weekend", arms: arms, defaultArm: "a", state: state))
        return ExperimentRegistry(["weekend": experiment], holdout: Holdout(salt: "h-2026", share: 5))
    }

    /// The sections that a client of each arm sees.
    private static let expected = ["a": 0, "b": 1].mapValues { index in
        [
            "f/hero-\(["a", "b"][index])": Array(heroes[index]),
            "f/more": Array(order.filter { !heroes[index].contains($0) }.prefix(size)),
        ]
    }

    @Test("It is full for each of 10,000 clients, without an item of their hero and with those of the other one")
    func clients() throws {
        let registry = try weekend()
        let snapshot = try snapshot(registry)
        let shared = try page(snapshot, for: .unknown)
        let experiment = try #require(registry.experiments["weekend"])
        var counts: [String: Int] = [:]
        for number in 0..<10_000 {
            let client = "client-\(number)"
            guard case .said(let arm) = experiment.arm(of: .said(client), registry.holdout) else {
                Issue.record("\(client) has no arm")
                return
            }
            counts[arm, default: 0] += 1
            let own = numbers(resolve(shared, facts(client)))
            guard own == Self.expected[arm] else {
                Issue.record("\(client) with the arm \(arm) sees \(own)")
                return
            }
        }
        #expect(counts.keys.sorted() == ["a", "b"] && counts.values.allSatisfy { $0 > 4_000 }, "\(counts)")
        // The expectation itself: the section is full, and has the items that only the other hero has.
        for (index, arm) in ["a", "b"].enumerated() {
            let more = try #require(Self.expected[arm]?["f/more"])
            #expect(more.count == Self.size && Set(more).isDisjoint(with: Self.heroes[index]))
            #expect(Set(more).isSuperset(of: Set(Self.heroes[1 - index]).subtracting(Self.heroes[index])))
        }
    }

    @Test("A personal page has the same items as the shared page has for its client")
    func personal() throws {
        let snapshot = try snapshot(weekend())
        let shared = try page(snapshot, for: .unknown)
        for client in (0..<200).map({ "client-\($0)" }) + [nil] {
            let personal = try page(snapshot, for: Fact(client))
            #expect(personal.sections.allSatisfy { $0.fill == nil && $0.target == nil })
            #expect(numbers(personal) == numbers(resolve(shared, facts(client))), "\(client ?? "no ID")")
        }
    }

    @Test("After the end of the experiment, every client sees the page of the winner, also without an ID and in the holdout")
    func concluded() throws {
        for winner in ["a", "b"] {
            let shared = try page(try snapshot(weekend(.concluded(winner: winner))), for: .unknown)
            #expect(shared.sections.allSatisfy { $0.target == nil && $0.fill == nil })
            for client in (0..<200).map({ "client-\($0)" }) + [nil] {
                #expect(numbers(resolve(shared, facts(client))) == Self.expected[winner], "\(client ?? "no ID")")
            }
        }
    }
}
