import Feeds
import Foundation
import FoundationXML
import JSON
import Layout
import ScreenFiles
import TestSupport
import Testing

@testable import Drawing

@Suite("The picture of the cells of a page")
struct PagePictureTests {
    /// A page with one section of cells in one style.
    private struct Sample {
        var locale = "en"
        var cell = #""cell": "appRow""#
        var layout = #"{"list": {"rowHeight": {"absolute": 88}}}"#
        var more = ""
        var device = "iphone"
        var items = [Self.item()]
        var badges = #"["new"]"#

        static func item(_ title: String = "Harbor Notes") -> String {
            let image =
                ##"{"template": "/v1/images/1/5a2b1c9d-2f60-4c55-8b0e-0f6f5a1b2c3d/icon/{w}x{h}.png", "width": 480, "height": 480, "color": "#1F6F8B"}"##
            return #""kind": "topApp", "title": "\#(title)", "subtitle": "Write by the water", "image": \#(image), "#
                + #""rating": {"average": 4.6, "count": 9}, "price": {"amountMinor": 1499, "currency": "USD"}"#
        }

        private var document: JSONDocument {
            get throws {
                let id = "00000000000000000000000000000001"
                let expansion = try LayoutChoice(parsing: Array(layout.utf8)).expanded(at: 0)
                let placements = items.indices.map { #"{"placement": "p\#($0)", "item": "i\#($0)", "badges": \#(badges)}"# }
                let texts = items.enumerated().map { #""i\#($0)": {\#($1)}"# }
                return try JSONDocument(
                    parsing: """
                        {"feed": "today", "storefront": "us", "locale": "\(locale)", "title": "Today", "revision": 1,
                         "layouts": {"\(id)": \(String(decoding: try expansion.layout.json(), as: UTF8.self))},
                         "sections": [{"id": "today/a", "title": "Talked about", "subtitle": "This week", "layout": "\(id)", \(cell)\(more),
                           "items": [\(placements.joined(separator: ","))]}],
                         "items": {\(texts.joined(separator: ","))}}
                        """)
            }
        }

        func picture(_ images: [String: String] = [:]) throws -> PagePicture {
            let (document, matrix) = (try document, try ScreenMatrix.builtIn())
            let page = ClientPage(document)
            let screen = try #require(matrix[device])
            let scene = try PreviewScene(PreviewRequest(page, on: screen, isRightToLeft: page.isRightToLeft))
            return PagePicture(scene, PageContent(page, document), images: images)
        }

        var svg: String { get throws { try picture().source(as: .svg(isWhole: false)) } }
    }

    /// The lines of a picture, with the attributes of their elements.
    private func texts(_ svg: String) -> [(attributes: String, line: String)] {
        svg.matches(of: /<text ([^>]*)>([^<]*)<\/text>/).map { (String($0.1), String($0.2)) }
    }

    private func x(of line: String, in svg: String) throws -> Double {
        let text = try #require(texts(svg).first { $0.line == line }, "\(line)")
        return try #require(text.attributes.firstMatch(of: /x="([0-9.-]+)"/).flatMap { Double($0.1) })
    }

    @Test("A row has the artwork, the title, the subtitle, the rating, the badge and the price of its item")
    func row() throws {
        let svg = try Sample().svg
        #expect(texts(svg).map(\.line) == ["9:41", "Today", "$14.99", "New", "Harbor Notes", "Write by the water", "★ 4.6"])
        #expect(svg.contains("<symbol id=\"a0\" viewBox=\"0 0 100 100\"") && svg.contains("<use href=\"#a0\""))
        #expect(svg.contains("fill=\"#1F6F8B\""))
        #expect(XMLParser(data: Data(svg.utf8)).parse())
    }

    @Test(
        "Each cell style has its own elements",
        arguments: [
            ("rankedRow", ["$14.99", "1", "Harbor Notes"]), ("suggestion", ["Harbor Notes"]),
            ("foodRow", ["$14.99", "Harbor Notes", "Write by the water"]),
        ])
    func rows(style: String, lines: [String]) throws {
        let svg = try Sample(cell: "\"cell\": \"\(style)\"", badges: "[]").svg
        let drawn = texts(svg).map(\.line).dropFirst(2)
        #expect(lines.allSatisfy(drawn.contains), "\(drawn)")
        #expect(drawn.contains("1") == (style == "rankedRow") && drawn.contains("$14.99") == (style != "suggestion"))
    }

    @Test("A hero has a button on its image, a poster has none, and a card has its texts below the image")
    func cards() throws {
        let layout = #"{"carousel": {"width": 0.9, "height": 320}}"#
        let hero = try Sample(cell: #""cell": "heroCard""#, layout: layout).svg
        #expect(hero.contains("url(#shade)") && texts(hero).map(\.line).contains("$14.99"))
        let poster = try Sample(cell: #""cell": "posterLarge""#, layout: layout).svg
        #expect(poster.contains("url(#shade)") && !texts(poster).map(\.line).contains("$14.99"))
        let card = try Sample(cell: #""cell": "arrowCard""#, layout: layout).svg
        #expect(!card.contains("url(#shade)") && texts(card).map(\.line).contains("Write by the water"))
    }

    @Test("An unknown cell style follows the shape of the cell")
    func unknown() throws {
        let wide = try Sample(cell: #""cell": "x""#).svg
        #expect(texts(wide).map(\.line).contains("$14.99") && !wide.contains("url(#shade)"))
        let large = try Sample(cell: #""cell": "x""#, layout: #"{"carousel": {"width": 0.9, "height": 320}}"#).svg
        #expect(large.contains("url(#shade)"))
    }

    @Test("Each slot of a layout has its cell style")
    func slots() throws {
        var sample = Sample(
            cell: #""cells": {"large": "posterLarge", "small": "suggestion"}"#, layout: #"{"nestedGroup": "feature-pair-carousel"}"#)
        sample.items = ["One", "Two", "Three"].map { Sample.item($0) }
        let svg = try sample.svg
        // Only the large cell shows a subtitle, on its shade.
        #expect(svg.matches(of: /url\(#shade\)/).count == 1)
        #expect(texts(svg).filter { $0.line == "Write by the water" }.count == 1)
    }

    @Test("A cell of a named slot has the style of its slot, even if there is a style for all cells")
    func slotsBesideCell() throws {
        func svg(_ cell: String) throws -> String {
            var sample = Sample(cell: cell, layout: #"{"nestedGroup": "feature-pair-carousel"}"#)
            sample.items = ["One", "Two", "Three"].map { Sample.item($0) }
            return try sample.svg
        }
        let named = try svg(#""cells": {"large": "posterLarge", "small": "suggestion"}"#)
        #expect(try svg(#""cell": "suggestion", "cells": {"large": "posterLarge"}"#) == named)
        #expect(try svg(#""cell": "suggestion""#) != named)
    }

    @Test("A section header has the title, the subtitle, and a link if the section has a list")
    func header() throws {
        let carousel = #"{"preset": "top-apps-carousel", "rows": 2}"#
        let seeAll = #", "seeAll": {"title": "All", "layout": "00000000000000000000000000000001", "href": "/x"}"#
        let lines = texts(try Sample(layout: carousel, more: seeAll).svg).map(\.line)
        #expect(lines.contains("Talked about") && lines.contains("This week") && lines.contains("See All"))
        #expect(!texts(try Sample(layout: carousel).svg).map(\.line).contains("See All"))
    }

    @Test("An Arabic page is mirrored, with Arabic words and amounts")
    func arabic() throws {
        var sample = Sample(locale: "ar")
        sample.items = [Sample.item("قهوة").replacing("USD", with: "SAR")]
        let svg = try sample.svg
        #expect(svg.contains("direction=\"rtl\"") && svg.contains("xml:lang=\"ar\""))
        #expect(try x(of: "قهوة", in: svg) > x(of: "14.99\u{A0}ر.س", in: svg))
        #expect(texts(svg).map(\.line).contains("جديد"))
        let english = try Sample().svg
        #expect(try x(of: "Harbor Notes", in: english) < x(of: "$14.99", in: english))
    }

    @Test(
        "A price has the form of its language and currency",
        arguments: [
            ("en", "USD", 1499, "$14.99"), ("de", "EUR", 123_450, "1.234,50\u{A0}€"), ("ja", "JPY", 1500, "¥1,500"),
            ("en", "KWD", 5, "KWD\u{A0}0.005"), ("ar", "KWD", 4500, "4.500\u{A0}د.ك"),
        ])
    func prices(locale: String, currency: String, minor: Int, text: String) {
        #expect(CellWords(locale: locale).text(of: .init(minor: minor, currency: currency)) == text)
    }

    @Test("A text that does not fit ends with an ellipsis")
    func ellipsis() throws {
        let long = String(repeating: "Lanterns of the ", count: 20)
        let lines = texts(try Sample(items: [Sample.item(long)]).svg).map(\.line)
        let title = try #require(lines.first { $0.hasPrefix("Lanterns") })
        #expect(title.hasSuffix("…") && title.count < 40)
        let font = Font(15)
        #expect(font.fitted("Harbor", in: 100) == "Harbor")
        #expect(font.width(of: font.fitted(long, in: 100)) <= 100)
        #expect(font.fitted("夜市の灯りがともる頃", in: 70) == "夜市の…")
        #expect(font.lines(of: "Gnocchi Sotto Casa", in: font.width(of: "Gnocchi Sotto") + 1, maximum: 2) == ["Gnocchi Sotto", "Casa"])
        #expect(font.lines(of: long, in: 100, maximum: 2).map { $0.hasSuffix("…") } == [false, true])
        #expect(font.lines(of: "Donaudampfschifffahrtsgesellschaft", in: 100, maximum: 2).count == 1)
    }

    @Test("A hostile title, color, URL and locale stay text")
    func hostile() throws {
        var sample = Sample(locale: "en\\\"><script>")
        let image = #""image": {"template": "x\" onload=\"y", "width": 64, "height": 64, "color": "red\"/><script>"}"#
        sample.items = [#""title": "</text><script>&\"'\u0007", "subtitle": "<b>", \#(image)"#]
        let picture = try sample.picture(["x\" onload=\"y": "data:\"/><script>"])
        for text in [picture.source(as: .svg(isWhole: true)), picture.source(as: .html).replacing("<script>\nfor (const", with: "")] {
            #expect(!text.contains("<script>") && !text.contains("<b>") && !text.contains("onload=\""))
            #expect(text.contains("&lt;/text&gt;"))
        }
        #expect(XMLParser(data: Data(picture.source(as: .svg(isWhole: true)).utf8)).parse())
    }

    @Test("An item without fields still has a cell, and a missing image is its color")
    func sparse() throws {
        let svg = try Sample(items: [""]).svg
        #expect(texts(svg).map(\.line).contains("i0") && svg.contains("#c7c7cc"))
        let image = ##""title": "A", "image": {"template": "https://cdn.example/a.png", "width": 64, "height": 64, "color": "#123456"}"##
        let picture = try Sample(items: [image, image]).picture()
        #expect(picture.imageURLs(as: .svg(isWhole: false)) == ["https://cdn.example/a.png"])
        #expect(picture.source(as: .svg(isWhole: false)).contains("fill=\"#123456\""))
        #expect(!picture.source(as: .svg(isWhole: false)).contains("<image"))
        let loaded = try Sample(items: [image]).picture(["https://cdn.example/a.png": "data:image/png;base64,AA=="])
        #expect(loaded.source(as: .svg(isWhole: false)).contains("href=\"data:image/png;base64,AA==\""))
    }

    private static func item(showing url: String) -> String {
        ##""title": "A", "image": {"template": "\##(url)", "width": 200, "height": 100, "color": "#123456"}"##
    }

    @Test("An image is included once for all of its cells, and covers each as it would alone")
    func images() throws {
        var sample = Sample()
        sample.items = Array(repeating: Self.item(showing: "/a.png"), count: 3) + [Self.item(showing: "/b.png")]
        let data = ["/a.png": "data:image/png;base64,AA==", "/b.png": "data:image/png;base64,BB=="]
        for form in [PagePicture.Form.html, .svg(isWhole: true)] {
            let source = try sample.picture(data).source(as: form)
            #expect(source.matches(of: /base64,AA==/).count == 1 && source.matches(of: /base64,BB==/).count == 1)
            #expect(source.contains("<symbol id=\"i0\" viewBox=\"0 0 200 100\" preserveAspectRatio=\"xMidYMid slice\">"))
            #expect(source.matches(of: /<use href="#i0"/).count == 3 && source.matches(of: /<use href="#i1"/).count == 1)
        }
        #expect(XMLParser(data: Data(try sample.picture(data).source(as: .svg(isWhole: true)).utf8)).parse())
    }

    @Test("A wide cell shows the hero, and a square cell shows the icon, each in the size that the cell needs")
    func sizes() throws {
        let sizes = #""width": 1000, "height": 1000, "sizes": [[100, 100], [400, 400], [1000, 1000]]"#
        let item = #""title": "A", "image": {"template": "/i/{w}x{h}.png", \#(sizes)}, "hero": {"template": "/h/{w}.png?{h}", \#(sizes)}"#
        let row = try Sample(items: [item]).picture()
        #expect(row.imageURLs(as: .svg(isWhole: false)) == ["/i/400x400.png"])
        let wide = Sample(cell: #""cell": "heroCard""#, layout: #"{"carousel": {"width": 0.9, "height": 200}}"#, items: [item])
        #expect(try wide.picture().imageURLs(as: .svg(isWhole: false)) == ["/h/1000.png?1000"])
        let icon = Sample(cell: wide.cell, layout: wide.layout, items: [item.replacing("\"hero\"", with: "\"other\"")])
        #expect(try icon.picture().imageURLs(as: .svg(isWhole: false)) == ["/i/1000x1000.png"])
    }

    @Test("A picture requests the images of the cells that it draws")
    func requestedImages() throws {
        var sample = Sample()
        sample.items = (1...40).map { Self.item(showing: "/\($0).png") }
        let picture = try sample.picture()
        let screen = picture.imageURLs(as: .svg(isWhole: false))
        #expect(screen.first == "/1.png" && screen.count < 20)
        #expect(picture.imageURLs(as: .svg(isWhole: true)).count == 40 && picture.imageURLs(as: .html).count == 40)
        // A search term has no image.
        sample.cell = #""cell": "suggestion""#
        #expect(try sample.picture().imageURLs(as: .html).isEmpty)
    }

    @Test(
        "A cell style is recognized by the words of its name, and not by parts of words",
        arguments: [
            ("appRow", ["app", "row"]), ("arrowCard", ["arrow", "card"]), ("rankedRows", ["ranked", "row"]), ("TVRow", ["tv", "row"]),
            ("discard", ["discard"]), ("hero-card2Large", ["hero", "card", "large"]), ("", []),
        ])
    func words(name: String, words: [String]) throws {
        #expect(CellStyle.words(of: name) == Set(words))
    }

    @Test("A picture shows the first screen or the whole page", arguments: ["iphone", "ipad"])
    func sizes(device: String) throws {
        var sample = Sample(device: device)
        sample.items = (1...40).map { Sample.item("Item \($0)") }
        let picture = try sample.picture()
        let (first, whole) = (picture.source(as: .svg(isWhole: false)), picture.source(as: .svg(isWhole: true)))
        #expect(texts(first).contains { $0.line == "Item 1" } && !texts(first).contains { $0.line == "Item 40" })
        #expect(texts(whole).contains { $0.line == "Item 40" })
        // The page of HTML scrolls, so it is complete.
        #expect(picture.source(as: .html).contains(">Item 40<"))
    }

    @Test("The HTML of a page has a scroller for each carousel, and refers only to itself")
    func html() throws {
        var sample = Sample(layout: #"{"carousel": {"rows": 2, "width": 0.9, "paging": "groupPaging"}}"#)
        sample.items = (1...9).map { Sample.item("Item \($0)") }
        let html = try sample.picture().source(as: .html)
        #expect(html.matches(of: /class="scroller"/).count == 1 && html.contains("scroll-snap-type:x mandatory"))
        #expect(!html.contains("http"))
    }

    @Test(
        "A scroller has room for its first and its last resting position in its direction",
        arguments: [(true, 100.0, 1_020.0), (true, 800.0, 1_170.0), (false, 800.0, 1_020.0), (false, 960.0, 1_080.0)])
    func scrollRange(isHorizontal: Bool, last: Double, extent: Double) {
        let scroller = PreviewScene.Scroller(
            viewport: Rectangle(x: 0, y: 0, width: 350, height: 100), contentExtent: 1_000, offset: 0,
            restingOffsets: [-20, last], isHorizontal: isHorizontal)
        #expect(scroller.lead == 20 && scroller.scrolledExtent == extent)
    }

    @Test(
        "A supplementary item of a layout has the name of its kind as its text",
        arguments: [("new-banner", "en", "New"), ("new-banner", "de", "Neu"), ("sale", "en", "Sale")])
    func supplementary(kind: String, locale: String, text: String) throws {
        let size = #"{"width": {"fractionalWidth": 1}, "height": {"absolute": 120}}"#
        let banner =
            #"{"elementKind": "\#(kind)", "size": {"width": {"absolute": 90}, "height": {"absolute": 30}}, "containerAnchor": {"edges": ["bottom"]}}"#
        let layout = """
            {"kind": "list", "group": {"kind": "horizontal", "size": \(size), "subitems": [
              {"kind": "item", "size": \(size), "supplementaryItems": [\(banner)]}]}}
            """
        #expect(texts(try Sample(locale: locale, layout: layout, badges: "[]").svg).map(\.line).contains(text))
    }
}
