import Items
import JSON
import Layout
import Resolve
import TestSupport
import Testing
import Values

@testable import Feeds

@Suite("The findings about clients of some platforms")
struct PlatformHealthTests {
    private static let storefront = Storefront(
        key: "us", currency: "USD", timeZone: "UTC", locales: [.english], defaultLocale: .english)
    private static let platforms = ClientPlatforms(all: ["android", "ios", "linux", "tvos"], served: ["android", "ios", "linux"])

    private static func id(_ number: Int) -> UUID { UUID(high: 0, low: UInt64(number)) }

    /// Returns a document with the sections `s0`, `s1` and so on.
    private static func document(_ sections: [String]) throws -> FeedDocument {
        let list = sections.enumerated().map { #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", \#($1)}"# }
        let text = #"{"format": 2, "feed": "today", "title": {"en": "T"}, "sections": [\#(list.joined(separator: ", "))]}"#
        return try FeedDocument(parsing: Array(text.utf8))
    }

    private static func card() throws -> Card {
        let pins = #""pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}}], "rule": {"kind": "topApp"}"#
        return try #require(try document([pins]).sections.first?.pins.first?.card)
    }

    /// Returns a shelf of items, each with the platforms on which it runs, or nil if these are all.
    private static func shelf(_ items: [(Int, Set<String>?)], pins: [ComposedItems.Pin] = []) -> ComposedItems {
        var shelf = ComposedItems()
        shelf.orders = [nil: items.map { id($0.0) }]
        for (number, platforms) in items { shelf.placements[id(number)] = .init(serialNumber: number, platforms: platforms) }
        shelf.pins = pins
        return shelf
    }

    private static func health(
        _ document: FeedDocument, _ shelves: [ComposedItems], _ references: [ItemReference: UUID] = [:],
        _ failures: [SectionPart: FeedHealth.PartFailure] = [:]
    ) -> FeedHealth {
        let parts = zip(document.sections, shelves).map { (SectionPart.shelf($0.key), $1) }
        return FeedHealth(
            of: document, revision: 3, in: storefront, on: platforms, sections: Set(document.sections.map(\.key)),
            parts: Dictionary(uniqueKeysWithValues: parts), failures: failures, references: references, registry: ExperimentRegistry())
    }

    /// The code, the severity, the platforms and the pointer of each finding.
    private static func printed(_ health: FeedHealth) -> [String] {
        health.result.findings.map { finding in
            "\(finding.identity.code) \(finding.severity.rawValue) \(finding.platforms) \(finding.pointer)"
        }
    }

    @Test("A section that is too small on some served platforms has a warning with these platforms")
    func few() throws {
        let document = try Self.document([#""rule": {"kind": "topApp"}, "minItems": 2"#, #""rule": {"kind": "topApp"}"#])
        let android: Set<String> = ["android", "ios"]
        // No clients are on tvos, and only the first section needs two items.
        let small = Self.health(
            document, [Self.shelf([(0, ["ios"]), (1, android), (2, nil)]), Self.shelf([(0, android), (1, ["linux"])])])
        #expect(Self.printed(small) == [#"SECTION_MISSING warning ["linux"] /sections/0/minItems"#])
        let finding = try #require(small.result.findings.first)
        #expect(finding.section == "s0" && finding.identity.subject == "s0/platforms")
        #expect(
            finding.message == "pages for these platforms omit the section, because it has fewer items there than minItems, which is 2")
        let smaller = Self.health(document, [Self.shelf([(0, ["ios"]), (1, ["ios"])]), Self.shelf([(0, nil)])])
        #expect(Self.printed(smaller) == [#"SECTION_MISSING warning ["android", "linux"] /sections/0/minItems"#])
    }

    @Test("A section that no client sees has an error, and no finding about platforms")
    func none() throws {
        let document = try Self.document([#""rule": {"kind": "topApp"}, "minItems": 2"#, #""rule": {"kind": "topApp"}"#])
        let health = Self.health(document, [Self.shelf([(0, ["ios"])]), Self.shelf([(1, nil)])])
        #expect(Self.printed(health) == ["SECTION_MISSING error [] /sections/0/minItems"])
        #expect(health.result.findings.first?.identity.subject == "s0")
    }

    @Test("A section for some platforms has an error if it is too small on each of them that is served, and else a warning")
    func targeted() throws {
        func printed(_ platforms: String) throws -> [String] {
            let target = #""target": {"platforms": [\#(platforms)]}"#
            let document = try Self.document([#""rule": {"kind": "topApp"}, \#(target)"#, #""rule": {"kind": "topApp"}"#])
            return Self.printed(Self.health(document, [Self.shelf([(0, ["ios"])]), Self.shelf([(0, nil)])]))
        }
        #expect(try printed(#""ios""#) == [] && printed(#""ios", "tvos""#) == [])
        #expect(try printed(#""ios", "linux""#) == [#"SECTION_MISSING warning ["linux"] /sections/0"#])
        #expect(try printed(#""linux", "tvos""#) == [#"SECTION_MISSING error ["linux"] /sections/0"#])
        // Of a platform that is not served, nothing is known.
        #expect(try printed(#""tvos""#) == [])
        let document = try Self.document([
            #""rule": {"kind": "topApp"}, "target": {"platforms": ["tvos"]}"#, #""rule": {"kind": "topApp"}"#,
        ])
        #expect(Self.printed(Self.health(document, [Self.shelf([]), Self.shelf([(0, nil)])])) == [])
    }

    @Test("A section that clients without a platform do not see, because a section above shows its items, has a warning about them")
    func unstated() throws {
        let document = try Self.document([
            #""rule": {"kind": "topApp"}, "minItems": 3"#,
            #""rule": {"all": [{"kind": "topApp"}, {"not": {"inSection": "s0"}}]}, "minItems": 2"#,
        ])
        // On Android and Linux, the first section is too small, so that the second one shows both items.
        let health = Self.health(
            document, [Self.shelf([(0, ["ios"]), (1, ["ios"]), (2, nil), (3, nil)]), Self.shelf([(2, nil), (3, nil)])])
        #expect(
            Self.printed(health) == [
                #"SECTION_MISSING warning ["android", "linux"] /sections/0/minItems"#, "SECTION_MISSING warning [] /sections/1/minItems",
                #"SECTION_MISSING warning ["ios"] /sections/1/minItems"#,
            ])
        let finding = health.result.findings[1]
        #expect(finding.identity.subject == "s1/unstated" && finding.message.hasPrefix("pages for clients that state no platform omit"))
    }

    @Test("A pin counts only for the platforms of its target, and not if it is for some of their clients")
    func targetedPins() throws {
        let document = try Self.document([#""rule": {"kind": "topApp"}, "minItems": 2"#])
        let card = try Self.card()
        func printed(_ conditions: Target.Condition..., items: Int = 1) -> [String] {
            let pin = ComposedItems.Pin(slot: 0, content: .card(card), target: Target(conditions))
            return Self.printed(Self.health(document, [Self.shelf((0..<items).map { ($0, nil) }, pins: [pin])]))
        }
        let some = ["SECTION_MISSING warning [] /sections/0/minItems", #"SECTION_MISSING warning ["android"] /sections/0/minItems"#]
        #expect(printed(.platforms(["ios", "linux"])) == some)
        #expect(printed(.platforms(["ios", "linux"]), items: 2) == [])
        let none = printed(.tags(["subscriber"]))
        #expect(none.first == "SECTION_MISSING error [] /sections/0/minItems")
        #expect(printed(.platforms(["ios", "linux"]), .tags(["subscriber"])) == none)
        // The section above shows one of the two items.
        let below = try Self.document([
            #""rule": {"kind": "topApp"}"#, #""rule": {"all": [{"kind": "topApp"}, {"not": {"inSection": "s0"}}]}, "minItems": 2"#,
        ])
        let pin = ComposedItems.Pin(slot: 0, content: .card(card), target: Target([.tags(["subscriber"])]))
        let health = Self.health(below, [Self.shelf([(0, nil)]), Self.shelf([(0, nil), (1, nil)], pins: [pin])])
        #expect(Self.printed(health) == ["SECTION_MISSING error [] /sections/1/minItems"])
    }

    @Test("A section that keeps its previous items can be missing on a platform")
    func kept() throws {
        let document = try Self.document([#""rule": {"kind": "topApp"}, "minItems": 2"#])
        let failures = [
            SectionPart.shelf(document.sections[0].key): FeedHealth.PartFailure.insufficientItems(.tooFew(found: 1, minimum: 2))
        ]
        let health = Self.health(document, [Self.shelf([(0, nil), (1, ["ios", "linux"])])], [:], failures)
        #expect(
            Self.printed(health) == [
                "SECTION_KEPT warning [] /sections/0/minItems", #"SECTION_MISSING warning ["android"] /sections/0/minItems"#,
            ])
    }

    @Test("A pinned item that does not run on some served platforms has a finding with those that see the pin")
    func pins() throws {
        let document = try Self.document([
            #"""
            "pins": [{"slot": 0, "item": "topapp:a"}, {"slot": 1, "item": "topapp:b", "target": {"platforms": ["ios", "android", "tvos"]}},
                {"slot": 2, "item": "topapp:c"}],
            "rule": {"kind": "topApp"}
            """#
        ])
        let references = Dictionary(
            uniqueKeysWithValues: zip(["a", "b", "c"].map { ItemReference.slug(.topApp, $0) }, (0..<3).map(Self.id)))
        func pins(_ numbers: Int...) -> [ComposedItems.Pin] { numbers.map { .init(slot: $0, content: .item(Self.id($0), nil)) } }
        let items: [(Int, Set<String>?)] = [(0, ["ios", "linux"]), (1, ["ios"]), (2, nil)]
        let health = Self.health(document, [Self.shelf(items, pins: pins(0, 1, 2))], references)
        let expected = [
            #"PIN_GONE warning ["android"] /sections/0/pins/0/item"#, #"PIN_GONE warning ["android"] /sections/0/pins/1/item"#,
        ]
        #expect(Self.printed(health) == expected)
        #expect(
            health.result.findings.first?.message
                == "topapp:a does not run on these platforms, where the items after it move up")
        // An item that is withdrawn is not reported for platforms, and its finding does not have their time.
        let gone = Self.health(document, [Self.shelf(items, pins: pins(1, 2))], references)
        #expect(Self.printed(gone) == ["PIN_GONE warning [] /sections/0/pins/0/item", expected[1]])
        #expect(gone.result.findings[0].identity != health.result.findings[0].identity)
        // Without eligibility, all clients see all items.
        let all = items.map { ($0.0, Set<String>?.none) }
        #expect(Self.printed(Self.health(document, [Self.shelf(all, pins: pins(0, 1, 2))], references)) == [])
    }

    @Test("A finding that loses platforms concerns no others, and one that gains some or all of them does")
    func otherPlatforms() {
        func finding(_ platforms: String...) -> StorefrontFinding {
            StorefrontFinding(.pinGone, "s0/topapp:a", revision: 1, for: platforms, "m", "h")
        }
        #expect(!finding("ios").concernsOtherPlatforms(than: finding("ios", "linux")))
        #expect(finding("ios", "linux").concernsOtherPlatforms(than: finding("ios")))
        #expect(finding().concernsOtherPlatforms(than: finding("ios")) && !finding("ios").concernsOtherPlatforms(than: finding()))
        #expect(!finding().concernsOtherPlatforms(than: finding()))
    }

    // MARK: Random pages

    /// A random section with its shelf, in which the card can be pinned.
    private static func section(
        _ index: Int, _ card: Card, _ random: inout SeededRandom
    ) -> (fields: String, shelf: ComposedItems) {
        let size = Int.random(in: 1...5, using: &random)
        let without = (0..<index).filter { _ in Bool.random(using: &random) }
        let conditions = [#"{"kind": "topApp"}"#] + without.map { #"{"not": {"inSection": "s\#($0)"}}"# }
        let turns = Int.random(in: 0..<4, using: &random) == 0
        var fields = #""size": \#(size), "minItems": \#(Int.random(in: 1...size, using: &random)), "#
        fields += #""rule": {"all": [\#(conditions.joined(separator: ", "))]}"#
        if turns { fields += #", "sort": {"rotate": {"seed": "s", "every": "P1D"}}"# }
        // Sections have many items in common, so that those above take the items of the ones below.
        let numbers = Array(0..<12).shuffled(using: &random).prefix(Int.random(in: 0...12, using: &random))
        let items = numbers.map { number in
            // An item has the same platforms in all sections.
            let set = Set(platforms.all.enumerated().filter { (number * 7 + $0.offset * 3) % 5 < 2 }.map(\.element))
            return (number, set.isEmpty ? nil : set)
        }
        var contents = items.shuffled(using: &random).prefix(2).map { ComposedItems.Pin.Content.item(id($0.0), nil) }
        if Bool.random(using: &random) { contents.insert(.card(card), at: 0) }
        var pins: [ComposedItems.Pin] = []
        for (slot, content) in contents.prefix(Int.random(in: 0...min(3, size), using: &random)).enumerated() {
            let some = platforms.all.filter { _ in Bool.random(using: &random) }
            let isTargeted = !some.isEmpty && Bool.random(using: &random)
            pins.append(ComposedItems.Pin(slot: slot, content: content, target: isTargeted ? Target([.platforms(some)]) : nil))
        }
        var shelf = shelf(items, pins: pins)
        if turns {
            for platform in platforms.all {
                shelf.platformOrders[platform] = items.filter { $0.1?.contains(platform) ?? true }.map { id($0.0) }.shuffled(using: &random)
            }
        }
        return (fields, shelf)
    }

    @Test("The sections that clients of a platform do not see are those that the page for the platform omits", arguments: Seeds.fixed(2))
    func resolved(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var counts: [String: Int] = [:]
        let card = try Self.card()
        for round in 0..<500 {
            var sections: [(fields: String, shelf: ComposedItems)] = []
            for index in 0..<Int.random(in: 1...5, using: &random) { sections.append(Self.section(index, card, &random)) }
            let document = try Self.document(sections.map(\.fields))
            let health = Self.health(document, sections.map(\.shelf))
            func shown(on platform: String?) -> Set<String> {
                var facts = ClientFacts.nothingSaid(in: "us", .english)
                facts.platform = Fact(platform)
                return Set(resolve(document.edition(of: health.parts, in: .english, on: platform), facts).sections.map(\.id))
            }
            let pages = Dictionary(uniqueKeysWithValues: Self.platforms.served.map { ($0, shown(on: $0)) })
            let whole = shown(on: nil)
            let served = Set(Self.platforms.served)
            for section in document.sections {
                let id = "today/\(section.key)"
                let without = FeedHealth.Clients(
                    platforms: served.filter { pages[$0]?.contains(id) == false }, includesUnstated: !whole.contains(id))
                let everyone = FeedHealth.Clients(platforms: served, includesUnstated: true)
                let expected: FeedHealth.Shortage? =
                    without == FeedHealth.Clients() ? nil : without == everyone ? .everywhere : .partial(without)
                try #require(health.shortages[section.key] == expected, "seed \(seed), round \(round), \(id): \(sections.map(\.fields))")
                let isPartial = expected != nil && expected != .everywhere
                let name = expected == nil ? "none" : !isPartial ? "everywhere" : without.includesUnstated ? "unstated" : "platforms"
                counts[name + (section.without.isEmpty ? "" : " without"), default: 0] += 1
            }
        }
        #expect(!Seeds.isFixed(seed, of: 2) || counts.count == 8, "\(counts)")
    }
}
