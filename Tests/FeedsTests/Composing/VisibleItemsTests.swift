import Feeds
import Items
import JSON
import Testing
import Values

@Suite("The items that some client can see in a section")
struct VisibleItemsTests {
    private let storefront: Storefront

    init() throws {
        let locale = try #require(LocaleTag("en"))
        storefront = Storefront(key: "us", currency: "USD", timeZone: "America/New_York", locales: [locale], defaultLocale: locale)
    }

    private func document(_ sections: String...) throws -> FeedDocument {
        let text = sections.enumerated().map { #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", \#($1)}"# }
        return try FeedDocument(
            parsing: Array(
                #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [\#(text.joined(separator: ", "))]}"#.utf8))
    }

    /// Returns the shelves whose candidates are the items with these numbers.
    private func shelves(_ document: FeedDocument, _ numbers: [Range<UInt64>]) -> [SectionPart: ComposedItems] {
        var parts: [SectionPart: ComposedItems] = [:]
        for (section, numbers) in zip(document.sections, numbers) {
            var composed = ComposedItems()
            composed.orders[nil] = numbers.map { UUID(high: 0, low: $0) }
            for (number, item) in (composed.orders[nil] ?? []).enumerated() { composed.placements[item] = .init(serialNumber: number) }
            composed.pins = section.pins.compactMap { pin in pin.card.map { .init(slot: pin.slot, content: .card($0), target: pin.target) }
            }
            parts[.shelf(section.key)] = composed
        }
        return parts
    }

    private func visible(_ document: FeedDocument, _ numbers: [Range<UInt64>]) -> [String: [UInt64]] {
        let items = document.visibleItems(shelves(document, numbers), in: storefront)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.key.text, $0.value.map(\.low).sorted()) })
    }

    private static let rule = #""rule": {"kind": "topApp"}"#
    private static let withoutFirst = #""size": 2, "rule": {"not": {"inSection": "s0"}}"#

    @Test("A section that leaves out the items above shows its first other items, and no more")
    func leftOut() throws {
        let document = try document(#""size": 2, \#(Self.rule)"#, Self.withoutFirst)
        #expect(visible(document, [0..<2, 0..<4]) == ["s0": [0, 1], "s1": [2, 3]])
        #expect(visible(document, [0..<2, 10..<14]) == ["s0": [0, 1], "s1": [10, 11]])
    }

    @Test("If the section above depends on the client, each item that can be left shows")
    func open() throws {
        let pins = #""pins": [{"slot": 0, "card": {"key": "c", "title": {"en": "C"}}, "target": {"tags": ["beta"]}}]"#
        let document = try document(#""size": 2, \#(pins), \#(Self.rule)"#, Self.withoutFirst)
        #expect(visible(document, [0..<2, 0..<4]) == ["s0": [0, 1], "s1": [0, 1, 2, 3]])
    }

    @Test("A section that rotates on each platform shows the items of all of them, and one below it what each of them leaves")
    func rotation() throws {
        let rotation = #""sort": {"rotate": {"seed": "s", "every": "P1D"}}"#
        let document = try document(#""size": 2, \#(rotation), \#(Self.rule)"#, Self.withoutFirst)
        let platforms = ClientPlatforms(all: ["ios", "tvos"], served: ["ios"])
        var parts = shelves(document, [0..<5, 0..<6])
        let key = SectionPart.shelf(document.sections[0].key)
        var shelf = try #require(parts[key])
        func ids(_ numbers: UInt64...) -> [UUID] { numbers.map { UUID(high: 0, low: $0) } }
        shelf.orders[nil] = ids(0, 1)
        for (turned, expected) in [
            ([:], [[0, 1], [2, 3]]), (["ios": ids(2, 3), "tvos": ids(4)], [[0, 1, 2, 3, 4], [0, 1, 2, 3]]),
        ] as [([String: [UUID]], [[UInt64]])] {
            shelf.platformOrders = turned
            parts[key] = shelf
            let items = document.visibleItems(parts, in: storefront, on: platforms)
            #expect(document.sections.map { (items[$0.key] ?? []).map(\.low).sorted() } == expected)
        }
    }

    @Test("The items of a section are the same before and after a rotation below it is composed")
    func rotationBelow() throws {
        let rotation = #""sort": {"rotate": {"seed": "s", "every": "P1D"}}"#
        let document = try document(
            #""size": 1, "target": {"platforms": ["ios"]}, \#(Self.rule)"#, #""size": 1, \#(rotation), \#(Self.rule)"#)
        let platforms = ClientPlatforms(all: ["ios", "tvos"], served: ["ios", "tvos"])
        var parts = shelves(document, [0..<2, 0..<2])
        let (upper, lower) = (SectionPart.shelf(document.sections[0].key), SectionPart.shelf(document.sections[1].key))
        let ids = try #require(parts[upper]?.orders[nil])
        // Only clients on tvOS would see the second item, and they do not see the section.
        parts[upper]?.placements[ids[0]]?.platforms = ["ios"]
        parts[lower]?.platformOrders = ["ios": [ids[1]], "tvos": [ids[0]]]
        let whole = document.visibleItems(parts, in: storefront, on: platforms)[document.sections[0].key]
        parts[lower] = nil
        #expect(document.visibleItems(parts, in: storefront, on: platforms)[document.sections[0].key] == whole)
        #expect(whole == [ids[0]])
    }

    @Test("A section with fewer items than its minimum shows none")
    func minimum() throws {
        let document = try document(#""size": 3, "minItems": 3, \#(Self.rule)"#, Self.withoutFirst)
        #expect(visible(document, [0..<2, 0..<4]) == ["s1": [0, 1]])
    }

    @Test("A section shows the items of each platform, and a rotation those of its turn there, served or not")
    func platforms() throws {
        let platforms = ClientPlatforms(all: ["ios", "tvos"], served: ["ios"])
        func visible(_ members: String, _ composed: ComposedItems) throws -> [UInt64]? {
            let document = try self.document(#""size": 1, \#(members)"#)
            let key = try #require(document.sections.first?.key)
            return document.visibleItems([.shelf(key): composed], in: storefront, on: platforms)[key]?.map(\.low).sorted()
        }
        let ids = (0..<5 as Range<UInt64>).map { UUID(high: 0, low: $0) }
        var composed = ComposedItems()
        for (number, id) in ids.enumerated() { composed.placements[id] = .init(serialNumber: number) }
        composed.placements[ids[0]]?.platforms = ["ios"]
        // Clients on another platform see the second item, and no client sees the third.
        composed.orders[nil] = Array(ids[0..<3])
        #expect(try visible(Self.rule, composed) == [0, 1])
        composed.placements[ids[3]]?.platforms = ["ios"]
        composed.placements[ids[4]]?.platforms = ["tvos"]
        composed.orders[nil] = [ids[2]]
        composed.platformOrders = ["ios": [ids[3]], "tvos": [ids[4]]]
        #expect(try visible(#"\#(Self.rule), "sort": {"rotate": {"seed": "s", "every": "P1D"}}"#, composed) == [2, 3, 4])
    }

    @Test("A selection depends on the sections that its rule names, and on those whose items these leave out")
    func dependencies() throws {
        let document = try document(
            Self.rule, #""rule": {"not": {"inSection": "s0"}}"#, #""rule": {"any": [{"inSection": "s1"}, {"kind": "foodApp"}]}"#)
        let above = document.sections.map { section in document.sectionsAbove(section.shelf).map(\.text).sorted() }
        #expect(above == [[], [], ["s0", "s1"]])
    }
}
