import Feeds
import JSON
import TestSupport
import Testing

@Suite("The comparison of two pages")
struct PageComparisonTests {
    private struct Shelf {
        var key: String
        var title = "Shelf"
        var rows = 1
        var items: [String]
    }

    private func page(_ shelves: [Shelf], in storefront: String = "us") throws -> ClientPage {
        let sections = shelves.map { shelf in
            let items = shelf.items.map { #"{"placement": "p", "item": "\#($0)", "badges": ["new"]}"# }.joined(separator: ",")
            let id = "0000000000000000000000000000000\(shelf.rows)"
            return #"{"id": "today/\#(shelf.key)", "title": "\#(shelf.title)", "layout": "\#(id)", "items": [\#(items)]}"#
        }
        let items = Set(shelves.flatMap(\.items)).map { #""\#($0)": {"title": "The \#($0)"}"# }.joined(separator: ",")
        let text = """
            {"schema": "vitrine.page/1", "feed": "today", "storefront": "\(storefront)", "revision": 3, "layouts": {},
             "sections": [\(sections.joined(separator: ","))], "items": {\(items)}}
            """
        return ClientPage(try JSONDocument(parsing: text))
    }

    private func reported(_ difference: PageComparison) -> [String] {
        difference.lines.map { String(repeating: "  ", count: $0.depth) + "\($0.mark.rawValue) \($0.text)" }
    }

    @Test("A comparison lists added, removed and moved items by their titles")
    func items() throws {
        let before = try page([Shelf(key: "hero", items: ["a", "b", "c"])])
        let after = try page([Shelf(key: "hero", items: ["c", "a", "x"])])
        #expect(
            reported(PageComparison(from: before, to: after)) == [
                "~ Shelf (hero)", "  + added The x", "  - removed The b", "  > moved The c (3 → 1)",
            ])
        #expect(PageComparison(from: before, to: before).isEmpty)
    }

    @Test("A comparison lists added and removed sections, and changed titles and layouts")
    func sections() throws {
        let before = try page([Shelf(key: "a", items: ["x"]), Shelf(key: "b", items: ["y", "z"]), Shelf(key: "c", items: ["u"])])
        let after = try page([
            Shelf(key: "c", items: ["u"]), Shelf(key: "a", title: "Other", rows: 2, items: ["x"]), Shelf(key: "d", items: ["x", "y"]),
        ])
        #expect(
            reported(PageComparison(from: before, to: after)) == [
                "- Shelf (b) removed from position 2, with 2 items", "> Shelf (c) moved from position 3 to 1", "~ Other (a)",
                "  ~ title \"Shelf\" → \"Other\"", "  ~ layout changed", "+ Shelf (d) added at position 3", "  + with The x, The y",
            ])
    }

    @Test("The comparison with no page lists everything, and counts long lists of items")
    func first() throws {
        let after = try page([Shelf(key: "a", items: (0..<9).map { "i\($0)" })])
        let lines = reported(PageComparison(from: nil, to: after))
        #expect(lines.first == "+ Shelf (a) added at position 1")
        #expect(lines.last == "  + with The i0, The i1, The i2, The i3, The i4, The i5 and 3 more")
    }

    @Test("A comparison is empty if and only if the pages are equal, and lists all added and removed items")
    func random() throws {
        for seed in 0..<60 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            func shelves() -> [Shelf] {
                ["a", "b", "c", "d"].shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)).map { key in
                    Shelf(
                        key: key, items: Array(["u", "v", "w", "x"].shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))))
                }
            }
            let (before, after) = (shelves(), shelves())
            let difference = PageComparison(from: try page(before), to: try page(after))
            let isSame = before.map(\.key) == after.map(\.key) && before.map(\.items) == after.map(\.items)
            #expect(difference.isEmpty == isSame, "seed \(seed)")
            #expect(try PageComparison(from: page(after), to: page(after)).isEmpty)
            for shelf in after {
                let previous = before.first { $0.key == shelf.key }?.items ?? []
                let change = difference.sections.first { $0.id == "today/\(shelf.key)" }
                #expect(Set(change?.entering.map(\.id) ?? []) == Set(shelf.items).subtracting(previous), "seed \(seed)")
                #expect(Set(change?.leaving.map(\.id) ?? []) == Set(previous).subtracting(shelf.items), "seed \(seed)")
            }
        }
    }

    @Test("Comparisons of two storefronts are alike even if their titles differ")
    func alike() throws {
        func difference(_ storefront: String, _ title: String, _ items: [String]) throws -> PageComparison {
            PageComparison(
                from: try page([Shelf(key: "a", title: title, items: ["x"])], in: storefront),
                to: try page([Shelf(key: "a", title: title, items: items)], in: storefront))
        }
        #expect(try difference("us", "One", ["x", "y"]).isAlike(try difference("de", "Eins", ["x", "y"])))
        #expect(try !difference("us", "One", ["x", "y"]).isAlike(try difference("de", "Eins", ["y", "x"])))
    }

    @Test("A comparison lists cards by their titles, and only placements that the client sees")
    func cards() throws {
        func page(_ placements: String) throws -> ClientPage {
            ClientPage(
                try JSONDocument(
                    parsing: """
                        {"schema": "vitrine.page/1", "feed": "today", "storefront": "us", "revision": 3, "layouts": {},
                         "sections": [{"id": "today/a", "title": "Shelf", "fill": {"size": 3}, "items": [\(placements)]}],
                         "items": {"x": {"title": "The x"}, "y": {"title": "The y"}}}
                        """))
        }
        func card(_ more: String) -> String { #"{"placement": "today/a/~c", "card": {"title": "Iftar"}, "pin": 0\#(more)}"# }
        let items = #"{"placement": "today/a/1", "item": "x"}, {"placement": "today/a/2", "item": "y"}"#
        let (shown, hidden) = (card(""), card(#", "target": {"tags": ["vip"]}"#))
        let (before, after) = (try page("\(shown), \(items)"), try page("\(hidden), \(items)"))
        #expect(reported(PageComparison(from: before, to: after)) == ["~ Shelf (a)", "  - removed Iftar"])
        #expect(reported(PageComparison(from: after, to: before)) == ["~ Shelf (a)", "  + added Iftar"])
        let text = String(decoding: try PageComparison(from: after, to: before).json(), as: UTF8.self)
        #expect(text.contains(#""added":[{"placement":"today/a/~c","title":"Iftar","toPosition":0}]"#))
        let moved = try page(#"{"placement": "today/a/2", "item": "y", "pin": 0}, \#(items)"#)
        #expect(reported(PageComparison(from: after, to: moved)) == ["~ Shelf (a)", "  > moved The y (2 → 1)"])
    }
}
