import Feeds
import Items
import JSON
import Resolve
import Testing
import Values

@Suite("The items of a shelf and of its list")
struct ItemComposerTests {
    private let context: RuleContext
    /// The items that the rule finds, in their order.
    private let candidates: [Candidate]

    init() throws {
        let english = try #require(LocaleTag("en"))
        let today = try #require(CalendarDay("2026-03-01"))
        let storefront = Storefront(key: "us", currency: "USD", timeZone: "America/New_York", locales: [english], defaultLocale: english)
        context = RuleContext(storefront: storefront, today: today)
        candidates = (0..<200).map { number in
            let facts = ItemFacts(
                id: UUID(high: 0, low: UInt64(number)), kind: .topApp, facets: [], ratingAverage: 0, ratingCount: 0, releasedOn: today,
                serialNumber: number, priceMinor: nil)
            return Candidate(facts: facts)
        }
    }

    private func section(_ members: [String: String?]) throws -> FeedSection {
        try #require(try FeedDocument(parsing: Array(ExampleFeed.document(members).utf8)).sections.first)
    }

    /// Returns the items after the rule has found the first `count` of them.
    private func composed(
        _ selection: ItemSelection, finding count: Int, after previous: ComposedItems? = nil, of shelf: ComposedItems? = nil,
        references: [ItemReference: UUID] = [:]
    ) -> ComposedItems {
        let inputs = SelectionInputs(
            candidates: [nil: Array(candidates.prefix(count))],
            known: Dictionary(uniqueKeysWithValues: candidates.map { ($0.facts.id, $0.facts) }), references: references)
        return ItemComposer(selection, inputs, replacing: previous, of: shelf, context).composed()
    }

    /// Returns the numbers of the items in their order.
    private func numbers(_ composed: ComposedItems) -> [UInt64] { (composed.orders[nil] ?? []).map(\.low) }

    @Test("A list is retained if its shelf would lose too many items, and not if only the rest of the list would")
    func drop() throws {
        let section = try section(["size": "20", "maxDrop": "0.5", "seeAll": #"{"title": {"en": "All"}, "size": 200}"#])
        let list = try #require(section.list)
        let (shelf, before) = (composed(section.shelf, finding: 200), composed(list, finding: 200))
        #expect(before.retained == nil && numbers(before).count == 200)
        for count in [60, 20, 10] {
            let after = composed(list, finding: count, after: before, of: composed(section.shelf, finding: count, after: shelf))
            #expect(after.retained == nil && numbers(after).count == count, "\(count) items")
        }
        let retained = composed(section.shelf, finding: 9, after: shelf)
        let after = composed(list, finding: 9, after: before, of: retained)
        #expect(after.retained == .tooLargeDrop(found: 9, before: 20) && numbers(after) == numbers(before))
        // Without previous items, as after an edit of the list, there is nothing to retain.
        #expect(numbers(composed(list, finding: 9, of: retained)).count == 9)
        let other = try #require(try self.section(["maxDrop": "0.5", "seeAll": #"{"title": {"en": "All"}, "sort": "title"}"#]).list)
        #expect(composed(other, finding: 9, after: before, of: retained).retained == nil)
    }

    @Test("Items whose price changes with the clock leave a shelf that would lose too many items, unless they are pinned")
    func endOfSale() throws {
        let shelf = try section([
            "rule": #"{"price": "free"}"#, "size": "20", "minItems": "5", "pins": #"[{"slot": 0, "item": "topapp:pinned"}]"#,
        ]).shelf
        let pinned = candidates[10].facts.id
        let before = composed(shelf, finding: 10, references: [.slug(.topApp, "pinned"): pinned])
        #expect(numbers(before).count == 10)
        func after(_ facets: [UInt64: Set<String>]) -> ComposedItems {
            let known = candidates.map(\.facts).map { facts in
                var facts = facts
                facts.facets = facets[facts.id.low] ?? []
                return (facts.id, facts)
            }
            let inputs = SelectionInputs(
                candidates: [nil: []], known: Dictionary(uniqueKeysWithValues: known), references: [.slug(.topApp, "pinned"): pinned])
            return ItemComposer(shelf, inputs, replacing: before, context).composed()
        }
        // A price that was edited is no reason to leave.
        #expect(numbers(after([3: ["paid:us"]])) == Array(0..<10))
        // The sales of two items have ended, and that of a third one in another storefront.
        let ended: Set = ["paid:us", "priceChanges:us"]
        #expect(numbers(after([3: ended, 4: ended, 5: ["paid:us", "priceChanges:de"], 10: ended])) == [0, 1, 2, 5, 6, 7, 8, 9])
        // The rule still matches an item that is free in another period.
        #expect(numbers(after([3: ["priceChanges:us"]])) == Array(0..<10))
        let all = Dictionary(uniqueKeysWithValues: (0..<10).map { (UInt64($0), ended) })
        #expect(numbers(after(all)) == [] && after(all).pins.count == 1)
    }

    @Test("A shelf is retained if it would lose too many items")
    func shelfDrop() throws {
        let shelf = try section(["size": "20", "maxDrop": "0.5"]).shelf
        let before = composed(shelf, finding: 200)
        #expect(before.retained == nil && numbers(before).count == 20)
        for count in [60, 10] {
            let after = composed(shelf, finding: count, after: before)
            #expect(after.retained == nil && numbers(after).count == min(count, 20), "\(count) items")
        }
        let after = composed(shelf, finding: 9, after: before)
        #expect(after.retained == .tooLargeDrop(found: 9, before: 20) && numbers(after) == numbers(before))
    }

    @Test("A shelf has its pins apart from its candidates, and a list starts with all pins that it does not exclude")
    func pins() throws {
        let references: [ItemReference: UUID] = [
            .slug(.topApp, "late"): candidates[100].facts.id, .slug(.topApp, "first"): candidates[101].facts.id,
        ]
        let pins = #"[{"slot": 0, "item": "topapp:first"}, {"slot": 3, "item": "topapp:late"}]"#
        let all = try section(["size": "5", "pins": pins, "seeAll": #"{"title": {"en": "All"}}"#])
        let shelf = composed(all.shelf, finding: 200, references: references)
        #expect(numbers(shelf) == [0, 1, 2] && shelf.pins.map(\.slot) == [0, 3] && shelf.pins.map { $0.item?.low } == [101, 100])
        #expect(shelf.items == Set(candidates.prefix(3).map(\.facts.id) + [candidates[100].facts.id, candidates[101].facts.id]))
        let list = numbers(composed(try #require(all.list), finding: 200, references: references))
        #expect(list.prefix(4) == [101, 100, 0, 1] && list.count == 200)
        let excluding = try section(["size": "5", "pins": pins, "seeAll": #"{"title": {"en": "All"}, "exclude": ["topapp:late"]}"#])
        let rest = numbers(composed(try #require(excluding.list), finding: 200, references: references))
        #expect(rest.prefix(3) == [101, 0, 1] && rest.count == 199)
    }

    /// Returns the section with these fields below the section `hero`, which has three items.
    private func sectionBelowHero(_ members: String) throws -> FeedSection {
        let below = #", {"key": "more", "layout": {"list": {}}, "cell": "row", "size": 5, \#(members)}"#
        return try #require(try FeedDocument(parsing: Array(ExampleFeed.document(["size": "3"], sections: below).utf8)).sections.last)
    }

    private static let card = #"{"slot": 1, "card": {"key": "c", "title": {"en": "C"}}"#
    private static let beta = #""target": {"tags": ["beta"]}"#
    private static let withoutHero = #"{"all": [{"kind": "topApp"}, {"not": {"inSection": "hero"}}]}"#

    @Test(
        "A shelf has a candidate for each slot that a client can have left, and for each item that the sections above can show",
        arguments: [
            ("", #"{"kind": "topApp"}"#, 5), (#"{"slot": 0, "item": "topapp:a"}"#, #"{"kind": "topApp"}"#, 4),
            (#"{"slot": 0, "item": "topapp:a"}, \#(card)}"#, #"{"kind": "topApp"}"#, 3), ("\(card), \(beta)}", #"{"kind": "topApp"}"#, 5),
            ("", withoutHero, 8), (#"{"slot": 0, "item": "topapp:a"}"#, withoutHero, 7), ("\(card), \(beta)}", withoutHero, 8),
            ("", #"{"not": {"inSection": "hero"}}"#, 8), ("", #"{"any": [{"kind": "topApp"}, {"not": {"inSection": "hero"}}]}"#, 5),
        ])
    func candidateCount(pins: String, rule: String, count: Int) throws {
        let shelf = try sectionBelowHero(#""pins": [\#(pins)], "rule": \#(rule)"#).shelf
        let all = composed(shelf, finding: 200, references: [.slug(.topApp, "a"): candidates[0].facts.id])
        #expect(numbers(all).count == count && all.retained == nil)
        #expect(all.counts(upTo: 5) == [nil: 5])
    }

    @Test("The item of a pin with a target is also a candidate, and counts once")
    func targetedItem() throws {
        let pin = #"{"slot": 0, "item": "topapp:a", \#(Self.beta)}"#
        let shelf = try sectionBelowHero(#""pins": [\#(pin)], "minItems": 3, "rule": {"kind": "topApp"}"#).shelf
        let references: [ItemReference: UUID] = [.slug(.topApp, "a"): candidates[1].facts.id]
        let three = composed(shelf, finding: 3, references: references)
        #expect(numbers(three) == [0, 1, 2] && three.counts(upTo: 5) == [nil: 3] && three.retained == nil)
        #expect(three.pins.map(\.target) == [Target([.tags(["beta"])])])
        #expect(composed(shelf, finding: 2, references: references).retained == .tooFew(found: 2, minimum: 3))
    }

    @Test("A retained shelf keeps its candidates, and has the pins of the document")
    func retainedCandidates() throws {
        let pins = #"{"slot": 0, "item": "topapp:a"}, \#(Self.card), \#(Self.beta)}"#
        let shelf = try sectionBelowHero(#""pins": [\#(pins)], "minItems": 3, "rule": {"kind": "topApp"}"#).shelf
        // The pinned item becomes available when the rule finds nothing any longer.
        let before = composed(shelf, finding: 200)
        #expect(numbers(before) == [0, 1, 2, 3, 4] && before.pins.map(\.slot) == [1])
        let after = composed(shelf, finding: 0, after: before, references: [.slug(.topApp, "a"): candidates[2].facts.id])
        #expect(after.retained == .tooFew(found: 1, minimum: 3))
        #expect(numbers(after) == [0, 1, 3, 4] && after.pins.map(\.slot) == [0, 1])
    }

    @Test("Pins that only some clients see do not replace the items that a rule no longer finds")
    func targetedPins() throws {
        let pins = (0..<3).map { #"{"slot": \#($0), "card": {"key": "c\#($0)", "title": {"en": "C"}}, \#(Self.beta)}"# }
        let shelf = try sectionBelowHero(#""pins": [\#(pins.joined(separator: ", "))], "minItems": 3, "rule": {"kind": "topApp"}"#).shelf
        let before = composed(shelf, finding: 200)
        let after = composed(shelf, finding: 0, after: before)
        #expect(after.retained == .tooFew(found: 0, minimum: 3) && numbers(after) == numbers(before))
    }

    @Test("The size of a section above does not change what a section below retains")
    func sizeAbove() throws {
        func document(_ size: Int) throws -> FeedDocument {
            let below = #", {"key": "more", "layout": {"list": {}}, "cell": "row", "size": 5, "rule": \#(Self.withoutHero)}"#
            return try FeedDocument(parsing: Array(ExampleFeed.document(["size": "\(size)"], sections: below).utf8))
        }
        let (small, large) = (try document(3), try document(6))
        let section = try #require(large.sections.last)
        #expect(section.keeps(.shelf(section.key), of: small) && section.shelf != small.sections.last?.shelf)
        #expect(try section.shelf.isSame(as: #require(small.sections.last).shelf))
    }

    @Test("A drop counts the shelf before clients leave items out")
    func dropOfPins() throws {
        let shelf = try sectionBelowHero(#""pins": [\#(Self.card)}], "maxDrop": 1, "rule": \#(Self.withoutHero)"#).shelf
        let before = composed(shelf, finding: 200)
        #expect(numbers(before).count == 7)
        #expect(composed(shelf, finding: 3, after: before).retained == nil)
        #expect(composed(shelf, finding: 2, after: before).retained == .tooLargeDrop(found: 3, before: 5))
    }

    @Test("A placement has the platforms of its item, whether the item is found, pinned or retained, and each platform has enough items")
    func platforms() throws {
        let platforms = ClientPlatforms(all: ["ios", "linux", "tvos"], served: ["linux", "tvos"])
        // The items run on iOS, on iOS and tvOS, on all platforms, and on unknown platforms, in turn.
        let facets: [Set<String>] = [["on:ios"], ["on:ios", "on:tvos"], ["on:ios", "on:linux", "on:tvos"], []]
        let items = candidates.map { candidate in
            var facts = candidate.facts
            facts.facets = facets[facts.serialNumber % 4]
            return facts
        }
        let shelf = try section(["size": "4", "minItems": "3", "pins": #"[{"slot": 0, "item": "topapp:pinned"}]"#]).shelf
        func composed(_ found: ArraySlice<ItemFacts>, after previous: ComposedItems? = nil) -> ComposedItems {
            var inputs = SelectionInputs(
                candidates: [nil: found.map { Candidate(facts: $0) }], known: Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) }),
                references: [.slug(.topApp, "pinned"): items[100].id])
            inputs.platforms = platforms
            return ItemComposer(shelf, inputs, replacing: previous, context).composed()
        }
        let before = composed(items[0..<60])
        // Three items for clients without a platform, four for those on platforms that cannot run the pin.
        #expect(numbers(before) == [0, 1, 2, 3, 5, 6, 7])
        let expected: [UInt64: Set<String>?] = [
            0: ["ios"], 1: ["ios", "tvos"], 2: nil, 3: nil, 5: ["ios", "tvos"], 6: nil, 7: nil, 100: ["ios"],
        ]
        func numbered(_ composed: ComposedItems) -> [UInt64: Set<String>?] {
            Dictionary(uniqueKeysWithValues: composed.placements.map { ($0.key.low, $0.value.platforms) })
        }
        #expect(numbered(before) == expected)
        let retained = composed([], after: before)
        #expect(retained.keepsPrevious && numbers(retained) == numbers(before) && numbered(retained) == expected)
    }

    @Test("A retained rotation shows a platform that was added later the items of clients without a platform that run there")
    func addedPlatform() throws {
        let items = candidates.prefix(12).map { candidate in
            var facts = candidate.facts
            facts.facets = facts.serialNumber.isMultiple(of: 2) ? ["on:ios", "on:tvos"] : ["on:ios"]
            return facts
        }
        let shelf = try section(["size": "4", "minItems": "3", "sort": #"{"rotate": {"seed": "s", "every": "P1D"}}"#]).shelf
        func composed(_ found: [ItemFacts], on platforms: [String], after previous: ComposedItems? = nil) -> ComposedItems {
            let candidates = found.map { Candidate(facts: $0) }
            var inputs = SelectionInputs(
                candidates: [nil: candidates], known: Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) }))
            inputs.platforms = ClientPlatforms(all: platforms, served: platforms)
            for platform in platforms { inputs.platformCandidates[platform] = candidates.running(on: platform) }
            return ItemComposer(shelf, inputs, replacing: previous, context).composed()
        }
        var before = composed(items, on: ["ios", "tvos"])
        #expect(before.platformOrders.mapValues { $0.map(\.low) } == ["ios": [0, 1, 2, 3], "tvos": [0, 2, 4, 6]])
        // The published placements have no order for a platform of which they do not know.
        before.platformOrders["tvos"] = nil
        let retained = composed([], on: ["ios", "tvos"], after: before)
        #expect(retained.platformOrders.mapValues { $0.map(\.low) } == ["ios": [0, 1, 2, 3], "tvos": [0, 2]])
        // A rule that fails finds no items at all.
        let known = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
        let both = ClientPlatforms(all: ["ios", "tvos"], served: ["ios", "tvos"])
        let kept = composed(items, on: ["ios", "watchos"]).keeping(known, on: both)
        #expect(kept.platformOrders["tvos"]?.map(\.low) == [0, 2] && kept.platformOrders["ios"]?.map(\.low) == [0, 1, 2, 3])
        #expect(kept.placements.mapValues(\.platforms) == before.placements.filter { $0.key.low < 4 }.mapValues(\.platforms))
    }

    @Test("A storefront has the pins that are for it, the first pin of an item, and no targets in lists")
    func ownPins() throws {
        let pins = #"""
            {"slot": 0, "item": "topapp:a", "target": {"storefronts": ["de"]}},
            {"slot": 1, "item": "topapp:alias", "target": {"tags": ["beta"]}}, {"slot": 2, "item": "topapp:other"},
            {"slot": 3, "item": "topapp:b", "show": {"title": {"en": "B"}}},
            {"slot": 4, "card": {"key": "c", "title": {"en": "C"}}, "target": {"storefronts": ["us", "de"]}}
            """#
        let section = try sectionBelowHero(#""pins": [\#(pins)], "rule": {"kind": "topApp"}, "continues": true"#)
        var references: [ItemReference: UUID] = [.slug(.topApp, "b"): candidates[8].facts.id]
        for name in ["a", "alias", "other"] { references[.slug(.topApp, name)] = candidates[9].facts.id }
        let shelf = composed(section.shelf, finding: 200, references: references)
        #expect(shelf.pins.map(\.slot) == [1, 3, 4])
        // Each storefront has its own pins, so a target has no storefronts left.
        #expect(shelf.pins.map { $0.target == nil } == [false, true, true])
        let list = composed(try #require(section.list), finding: 200, references: references)
        #expect(list.pins.isEmpty && numbers(list).prefix(4) == [9, 8, 0, 1] && numbers(list).count == 200)
    }
}
