import Feeds
import JSON
import Layout
import ScreenFiles
import Testing

@testable import Drawing

@Suite("The cell styles of a drawn layout")
struct PageCellTests {
    private static let id = "00000000000000000000000000000001"
    private static let cells = #""cell": "appRow", "cells": {"large": "posterLarge"}"#

    /// Returns a section of a large and a small cell, with the picture of its page.
    private func drawn(_ members: String, on device: String) throws -> (styles: [String], svg: String) {
        let layout = try LayoutChoice(parsing: Array(#"{"nestedGroup": "feature-pair-carousel"}"#.utf8)).expanded(at: 0).layout
        let document = try JSONDocument(
            parsing: """
                {"feed": "today", "storefront": "us", "locale": "en", "title": "Today", "revision": 1,
                 "layouts": {"\(Self.id)": \(String(decoding: try layout.json(), as: UTF8.self))},
                 "sections": [{"id": "today/a", "layout": "\(Self.id)", \(members),
                   "items": [{"placement": "p0", "item": "i0"}, {"placement": "p1", "item": "i1"}]}],
                 "items": {"i0": {"title": "One", "subtitle": "The first"}, "i1": {"title": "Two", "subtitle": "The second"}}}
                """)
        let page = ClientPage(document)
        let screen = try #require(try ScreenMatrix.builtIn()[device])
        let scene = try PreviewScene(PreviewRequest(page, on: screen, isRightToLeft: false))
        let section = try #require(scene.sections.first)
        return (section.cells.map { $0.style ?? "" }, PagePicture(scene, PageContent(page, document)).source(as: .svg(isWhole: false)))
    }

    private func variant(_ members: String) -> String {
        #"\#(Self.cells), "variants": [{"when": {"minWidth": 700}, "layout": "\#(Self.id)"\#(members)}]"#
    }

    @Test(
        "A variant has its own cell styles on a wide screen, and those of the section for a missing member",
        arguments: [
            ("", ["posterLarge", "appRow"]), (#", "cell": "suggestion""#, ["posterLarge", "suggestion"]),
            (#", "cells": {"large": "hero"}"#, ["hero", "appRow"]), (#", "cells": {"small": "hero"}"#, ["appRow", "hero"]),
            (#", "cell": "tile", "cells": {"large": "hero"}"#, ["hero", "tile"]),
        ])
    func variants(members: String, styles: [String]) throws {
        #expect(try drawn(variant(members), on: "ipad").styles == styles)
        #expect(try drawn(variant(members), on: "iphone").styles == ["posterLarge", "appRow"])
    }

    @Test("A picture draws the cells of the variant")
    func picture() throws {
        let section = variant(#", "cell": "suggestion", "cells": {"large": "suggestion"}"#)
        // A search term has no subtitle.
        #expect(try drawn(section, on: "iphone").svg.contains("The first"))
        let wide = try drawn(section, on: "ipad").svg
        #expect(wide.contains(">One<") && !wide.contains("The first"))
    }

    @Test("A section with alternates is drawn with the active one, which has the cell styles of the section")
    func alternates() throws {
        let other = #""column": {"layout": "\#(Self.id)", "cell": "foodRow", "cells": {"large": "foodRow"}}"#
        let section = #""alternates": {"grid": {"layout": "\#(Self.id)"}, \#(other)}, "active": "grid""#
        for device in ["iphone", "ipad"] {
            #expect(try drawn("\(Self.cells), \(section)", on: device).styles == ["posterLarge", "appRow"])
        }
        let wide = variant(#", "cell": "tile""#)
        #expect(try drawn("\(wide), \(section)", on: "ipad").styles == ["posterLarge", "tile"])
    }
}
