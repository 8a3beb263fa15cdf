import Feeds
import JSON
import Layout
import Testing

@Suite("The page that a client sees which states nothing about itself")
struct ClientPageTests {
    private func page(_ sections: String..., more: String = "") throws -> ClientPage {
        let items = ["a", "b", "c", "d"].map { #""\#($0)": {"title": "The \#($0)"}"# }.joined(separator: ",")
        return ClientPage(
            try JSONDocument(
                parsing: """
                    {"schema": "vitrine.page/1", "feed": "today", "storefront": "us", "layouts": {}\(more),
                     "sections": [\(sections.joined(separator: ","))], "items": {\(items)}}
                    """))
    }

    private func section(_ key: String, _ more: String = "", _ placements: String...) -> String {
        #"{"id": "today/\#(key)"\#(more), "items": [\#(placements.joined(separator: ","))]}"#
    }

    private func placement(_ item: String, _ more: String = "") -> String {
        #"{"placement": "today/x/\#(item)", "item": "\#(item)"\#(more)}"#
    }

    private static let hidden = #", "target": {"tags": ["vip"]}"#

    @Test(
        "A section whose target asks for more than the client states is hidden",
        arguments: [
            #"{"tags": ["vip"]}"#, #"{"appVersion": ">=4.0"}"#, #"{"unknown": 1}"#, #"{"experiment": {"weekend": ["pairs"]}}"#,
        ])
    func hiddenSection(target: String) throws {
        let page = try page(section("a", #", "target": \#(target)"#, placement("a")), section("b", "", placement("b")))
        #expect(page.sections.map(\.id) == ["today/b"])
    }

    @Test("A section for the default arm of an experiment is shown")
    func defaultArm() throws {
        let experiment = #"{"salt": "w", "arms": {"control": [[0, 50]], "pairs": [[50, 100]]}, "default": "control", "state": "running"}"#
        let page = try page(
            section("a", #", "target": {"experiment": {"weekend": ["control"]}}"#, placement("a")),
            section("b", #", "target": {"experiment": {"weekend": ["pairs"]}}"#, placement("b")),
            more: #", "experiments": {"weekend": \#(experiment)}"#)
        #expect(page.sections.map(\.id) == ["today/a"])
    }

    @Test("A hidden pin leaves its slot to the candidates, and its item has its own title among them")
    func hiddenPin() throws {
        let page = try page(
            section(
                "a", #", "fill": {"size": 2}"#, placement("a", #", "pin": 0, "show": {"title": "Other"}"# + Self.hidden), placement("b"),
                placement("a"), placement("c")))
        let items = try #require(page.sections.first).items
        #expect(items.map(\.id) == ["b", "a"] && items.map(\.title) == ["The b", "The a"])
        #expect(items.allSatisfy { $0.appearance == nil && !$0.isCard })
    }

    @Test("A shown pin has its slot and its appearance")
    func shownPin() throws {
        let page = try page(
            section(
                "a", #", "fill": {"size": 3}"#, placement("a", #", "pin": 1, "show": {"title": "Other"}, "badges": ["new"]"#),
                placement("d", #", "pin": 2"# + Self.hidden), placement("b"), placement("a"), placement("c")))
        let items = try #require(page.sections.first).items
        #expect(items.map(\.title) == ["The b", "Other", "The c"])
        #expect(items[1].id == "a" && items[1].badges == ["new"] && items[1].appearance?["title"]?.string == "Other")
    }

    @Test("A section does not repeat the items of a section above, and is hidden if too few are left")
    func repeated() throws {
        let fill = #", "fill": {"size": 2, "without": ["today/a"]}"#
        let page = try page(
            section("a", "", placement("a"), placement("b")), section("b", fill, placement("a"), placement("c"), placement("d")),
            section("c", fill, placement("a"), placement("b")),
            section("d", #", "fill": {"size": 2, "minItems": 2}"#, placement("a"), placement("b", #", "pin": 0"# + Self.hidden)))
        #expect(page.sections.map(\.id) == ["today/a", "today/b"] && page.sections.last?.items.map(\.id) == ["c", "d"])
    }

    @Test("A page keeps the valid colors of its theme")
    func theme() throws {
        let colors =
            ##""accent": {"light": "#8A6D1F", "dark": "#E3C878"}, "line": {"light": "#D9CDA8", "dark": "x y"}, "paper": {"light": "line"}"##
        let theme = try page(more: ##", "theme": {\##(colors), "Ink": {"light": "#000000"}, "shade": 7}"##).theme
        #expect(theme.colors.keys.map(\.text).sorted() == ["accent", "line"])
        for (token, light, dark) in [("accent", "#8A6D1F", "#E3C878"), ("line", "#D9CDA8", "#D9CDA8")] {
            let color = try #require(theme.colors[Name(token)])
            #expect(color.value(in: .light).text == light && color.value(in: .dark).text == dark)
        }
        #expect(try page().theme.colors.isEmpty && page(more: #", "theme": 7"#).theme.colors.isEmpty)
    }

    @Test("A section has the cells of its layout on a screen, and its own for a missing member")
    func cells() throws {
        let id = String(repeating: "a", count: 32)
        let variant = #""variants": [{"when": {"minWidth": 700}, "layout": "\#(id)", "cell": "tile"}]"#
        for (members, phone, tablet) in [
            (#", "cell": "row", "cells": {"large": "hero"}, \#(variant)"#, ["hero", "row"], ["hero", "tile"]),
            (", \(variant)", ["", ""], ["tile", "tile"]), ("", ["", ""], ["", ""]),
        ] {
            let section = try #require(try page(section("a", #", "layout": "\#(id)"\#(members)"#, placement("a"))).sections.first)
            func styles(_ width: Magnitude) -> [String] {
                let cells = section.cells(in: LayoutEnvironment(width: width, height: 844))
                return ["large", "small"].map { cells?[Name($0)] ?? "" }
            }
            #expect(styles(390) == phone && styles(1_024) == tablet)
        }
    }

    @Test("A card has the ID of its placement, and its title, the description of its image or its key as its title")
    func cards() throws {
        let cards = [#"{"title": "Iftar"}"#, #"{"image": {"template": "/i.png", "alt": "A set table"}}"#, #"{"image": {}}"#]
        let placements = cards.enumerated().map { #"{"placement": "today/a/~c\#($0)", "card": \#($1), "badges": ["new"]}"# }
        let items = try #require(try page(section("a", "", placements.joined(separator: ","))).sections.first).items
        #expect(items.map(\.id) == ["today/a/~c0", "today/a/~c1", "today/a/~c2"] && items.map(\.title) == ["Iftar", "A set table", "~c2"])
        #expect(items.allSatisfy { $0.isCard && $0.badges == ["new"] } && items[0].appearance?["title"]?.string == "Iftar")
    }
}
