import Feeds
import Items
import JSON
import Layout
import Resolve
import Security
import Testing
import Values

@Suite("The pins of a rendered page")
struct PinRendererTests {
    private static let hero = #"""
        {"key": "hero", "layout": {"list": {}}, "cell": "row", "size": 3, "minItems": 2, "rule": {"kind": "topApp"}, "pins": [
            {"slot": 0, "item": "\#(id(1))", "target": {"tags": ["beta"], "platforms": ["ios"]}, "show": {"title": {"en": "Shown"}}},
            {"slot": 1, "card": {"key": "c", "kicker": {"en": "Now"}, "title": {"en": "Card"}}}]}
        """#
    private static let top = #"""
        {"key": "top", "layout": {"list": {}}, "cell": "row", "size": 2,
         "rule": {"all": [{"kind": "topApp"}, {"not": {"inSection": "hero"}}]}}
        """#

    private let storefront: Storefront
    private let today: CalendarDay

    init() throws {
        storefront = Storefront(key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
        today = try #require(CalendarDay("2026-03-01"))
    }

    private static func id(_ number: Int) -> UUID { UUID(high: 0, low: UInt64(number)) }

    /// Composes sections from nine items, in the order of their numbers.
    private func snapshot(
        _ sections: String, _ registry: ExperimentRegistry = ExperimentRegistry()
    ) throws -> (snapshot: FeedSnapshot, layouts: LayoutTable) {
        let text = #"{"format": 2, "feed": "f", "title": {"en": "F"}, "sections": [\#(sections)]}"#
        let document = try FeedDocument(parsing: Array(text.utf8))
        let facts = (0..<9).map { number in
            ItemFacts(
                id: Self.id(number), kind: .topApp, facets: [], ratingAverage: 0, ratingCount: 0, releasedOn: today, serialNumber: number,
                priceMinor: nil)
        }
        var parts: [SectionPart: ComposedItems] = [:]
        for section in document.sections {
            for (part, selection) in section.parts {
                var inputs = SelectionInputs(
                    candidates: [nil: facts.map { Candidate(facts: $0) }],
                    known: Dictionary(uniqueKeysWithValues: facts.map { ($0.id, $0) }))
                for reference in selection.references {
                    if case .id(let id) = reference { inputs.references[reference] = id }
                }
                let context = RuleContext(storefront: storefront, today: today)
                parts[part] = ItemComposer(selection, inputs, replacing: nil, context).composed()
            }
        }
        let entries = FeedComposer(document, revision: 1, registry: registry, hashedBy: Digest.sha256).entries(parts)
        var layouts = LayoutTable()
        for entry in entries where entry.key.kind == .layout {
            let id = try #require(LayoutID(entry.key.id))
            layouts.merge(LayoutTable([id: try JSONDocument(parsing: entry.document).decode(PublishedLayout.self)]))
        }
        let published = entries.map {
            FeedSnapshot.Part(kind: $0.key.kind, id: $0.key.id, version: 1, document: $0.document, validUntil: nil)
        }
        return (try #require(try FeedSnapshot("us", parts: published, items: try SupersetPage.items(), newest: 1)), layouts)
    }

    private func context(_ facts: ClientFacts) -> PageContext {
        PageContext(storefront, LocaleFallback(.english, in: storefront), facts)
    }

    /// The facts of a client whose platform is known, and whose tags are known if they are not nil.
    private func facts(_ platform: String?, tags: Set<String>? = nil) -> ClientFacts {
        var facts = ClientFacts()
        facts.platform = Fact(platform)
        if let tags { facts.tags = .said(tags) }
        return facts
    }

    private func sections(_ text: String, _ facts: ClientFacts) throws -> [JSONNode] {
        let (snapshot, layouts) = try snapshot(text)
        let page = try PageRenderer(snapshot, ServedLayouts(layouts), context(facts)) { section, _ in section.published.id }.page()
        return try JSONDocument(parsing: page).root["sections"]?.elements.map(\.self) ?? []
    }

    /// Returns the elements of a section: the number of an item, or the title of a card or of a shown item.
    private func elements(_ section: JSONNode) -> [String] {
        section["items"]?.elements.map { placement in
            let title = placement["card"]?["title"]?.string ?? placement["show"]?["title"]?.string
            return title ?? placement["item"]?.string.flatMap { UUID($0) }.map { "\($0.low)" } ?? "?"
        } ?? []
    }

    @Test("A section that depends on an unknown fact has its pins with slots and targets, its candidates, and the way to fill it")
    func open() throws {
        let hero = try #require(try sections(Self.hero, facts("ios")).first)
        #expect(hero["fill"]?["size"]?.integer == 3 && hero["fill"]?["minItems"]?.integer == 2)
        #expect(elements(hero) == ["Shown", "Card", "0", "1"])
        let items = hero["items"]?.elements.map(\.self) ?? []
        #expect(items.map { $0["pin"]?.integer } == [0, 1, nil, nil])
        // The platform is known, so that only the tags are open.
        #expect(items[0]["target"]?.members.map(\.key) == ["tags"] && items.dropFirst().allSatisfy { $0["target"] == nil })
        #expect(items[0]["item"]?.string == items[3]["item"]?.string && items[0]["placement"]?.string == items[3]["placement"]?.string)
        #expect(items[1]["placement"]?.string == "f/hero/~c" && items[1]["item"] == nil)
        #expect(items[1]["card"]?["kicker"]?.string == "Now" && items[1]["card"]?["key"] == nil)
        #expect(items[3]["show"] == nil)
    }

    @Test("A section that no unknown fact changes is in order, without the slots of its pins")
    func settled() throws {
        for (facts, expected) in [
            (facts("ios", tags: ["beta"]), ["Shown", "Card", "0"]), (facts("ios", tags: []), ["0", "Card", "1"]),
            (facts("web"), ["0", "Card", "1"]), (facts(nil), ["0", "Card", "1"]),
        ] {
            let hero = try #require(try sections(Self.hero, facts).first)
            #expect(elements(hero) == expected)
            #expect(hero["fill"] == nil)
            for item in hero["items"]?.elements.map(\.self) ?? [] { #expect(item["pin"] == nil && item["target"] == nil) }
        }
    }

    @Test("A section waits for the sections whose items it does not repeat")
    func without() throws {
        let open = try sections("\(Self.hero), \(Self.top)", facts("ios"))
        #expect(open.map { $0["id"]?.string } == ["f/hero", "f/top"])
        #expect(open[1]["fill"]?["without"]?.elements.map(\.string) == ["f/hero"] && elements(open[1]) == ["0", "1", "2", "3"])
        let beta = try sections("\(Self.hero), \(Self.top)", facts("ios", tags: ["beta"]))
        #expect(beta[1]["fill"] == nil && elements(beta[1]) == ["2", "3"])
        let other = try sections("\(Self.hero), \(Self.top)", facts("web"))
        #expect(other[1]["fill"] == nil && elements(other[1]) == ["2", "3"])
    }

    @Test("The items of a page include those that only some clients see, each once")
    func items() throws {
        let (snapshot, layouts) = try snapshot(Self.hero)
        let page = try PageRenderer(snapshot, ServedLayouts(layouts), context(facts("ios"))) { section, _ in section.published.id }.page()
        let items = try JSONDocument(parsing: page).root["items"]?.members.map(\.key) ?? []
        #expect(Set(items) == [Self.id(0).description, Self.id(1).description] && items.count == 2)
    }

    private static let actions: [(String, String, String)] = [
        (#"{"feed": "ramadan"}"#, "feed", "/v1/us/feeds/ramadan?locale=en&platform=ios"),
        (#"{"story": "street-food"}"#, "story", "/v1/us/feeds/street-food?locale=en&platform=ios"),
        (#"{"list": "food/top"}"#, "list", "/v1/us/feeds/food/sections/top/items?locale=en&platform=ios"),
        (#"{"item": "topapp:a"}"#, "item", "/v1/us/items/topapp:a?locale=en"),
        (#"{"search": "free games"}"#, "search", "/v1/us/items?locale=en&platform=ios&q=free%20games"),
        (#"{"url": "https://example.com/a"}"#, "url", "https://example.com/a"),
    ]

    @Test("The link of an action has the locale and the platform", arguments: actions)
    func links(action: String, kind: String, href: String) throws {
        let pins = #"""
            {"slot": 0, "card": {"key": "c", "title": {"en": "C"}, "action": \#(action)}},
            {"slot": 1, "item": "\#(Self.id(0))", "show": {"action": \#(action)}}
            """#
        let section = #"{"key": "s", "layout": {"list": {}}, "cell": "row", "pins": [\#(pins)]}"#
        let items = try sections(section, facts("ios", tags: []))[0]["items"]?.elements.map(\.self) ?? []
        let written = try JSONDocument(parsing: Array(action.utf8)).root[kind]?.string
        for found in [items[0]["card"]?["action"], items[1]["show"]?["action"]] {
            #expect(found?["kind"]?.string == kind && found?["href"]?.string == href && found?[kind]?.string == written)
        }
        let web = try sections(section, facts(nil, tags: []))[0]["items"]?.elements.map(\.self) ?? []
        #expect(web[0]["card"]?["action"]?["href"]?.string == href.replacing("&platform=ios", with: ""))
    }

    @Test("Clients share a page unless their platform, or the target of a section or a pin, tells them apart")
    func variants() throws {
        func variant(_ text: String, _ facts: ClientFacts) throws -> PageVariant {
            let (snapshot, layouts) = try snapshot(text)
            return PageVariant(context(facts), PageDependencies(of: snapshot, layouts))
        }
        var other = facts("ios", tags: ["beta", "staff"])
        other.appVersion = Fact(Version("3.1"))
        let beta = try variant(Self.hero, facts("ios", tags: ["beta"]))
        #expect(try variant(Self.hero, other) == beta)
        #expect(try variant(Self.hero, facts("ios", tags: ["staff"])) != beta)
        #expect(try variant(Self.hero, facts("web", tags: ["beta"])) != beta)
        #expect(try variant(Self.hero, facts("web")) == variant(Self.hero, facts("web", tags: ["beta"])))
        // The page has no targets.
        let plain = #"{"key": "s", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}"#
        #expect(try variant(plain, other) == variant(plain, facts("ios")))
        #expect(try variant(plain, other) != variant(plain, facts("web")) && variant(plain, other) != variant(plain, facts(nil)))
    }

    @Test("Clients with the same arms share a page, and a shared page has what a client needs to compute its arm")
    func arms() throws {
        let section = #"""
            {"key": "s", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"},
             "target": {"tags": ["beta"], "experiment": {"weekend": ["pairs"]}}}
            """#
        let weekend = Experiment(
            salt: "weekend", arms: ["control": [50..<100], "pairs": [0..<50]], defaultArm: "control", state: .running)
        let registry = ExperimentRegistry(["weekend": try #require(weekend)], holdout: Holdout(salt: "h", share: 5))
        let (snapshot, layouts) = try snapshot(section, registry)
        func client(_ id: Fact<String>) -> ClientFacts {
            // The target fails for another reason, but the page has the arm.
            var facts = facts("ios", tags: [])
            facts.client = id
            return facts
        }
        let dependencies = PageDependencies(of: snapshot, layouts)
        func variant(_ id: Fact<String>) -> PageVariant { PageVariant(context(client(id)), dependencies) }
        let (low, other) = ("6f1f6c2f-7a10-4a43-9a51-0d0f8a3e7f6c", "client-1")
        #expect(registry.holdout?.includes(low) == false && Place.of(low, in: "weekend") == 0 && Place.of(other, in: "weekend") == 75)
        #expect(variant(.said(other)) == variant(.notSaid) && variant(.said(low)) != variant(.said(other)))
        #expect(variant(.unknown) != variant(.said(low)) && variant(.unknown) != variant(.said(other)))
        func page(_ id: Fact<String>) throws -> JSONNode {
            let renderer = PageRenderer(snapshot, ServedLayouts(layouts), context(client(id))) { _, _ in "" }
            return try JSONDocument(parsing: renderer.page(), limits: .ownOutput).root
        }
        #expect(try page(.said(low))["experiments"]?["weekend"]?["arm"]?.string == "pairs")
        #expect(try page(.said(low))["holdout"] == nil)
        let shared = try page(.unknown)
        let edition = try #require(shared.decodeLeniently(Edition.self))
        #expect(edition.experiments == registry.assignments && edition.holdout == registry.holdout)
    }
}
