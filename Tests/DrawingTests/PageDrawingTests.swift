import Feeds
import Foundation
import FoundationXML
import JSON
import Layout
import ScreenFiles
import TestSupport
import Testing
import Values

@testable import Drawing

@Suite("The picture of a page")
struct PageDrawingTests {
    private let matrix: ScreenMatrix

    init() throws { matrix = try ScreenMatrix.builtIn() }

    private func layout(_ text: String, hasHeader: Bool = false) throws -> String {
        let header = hasHeader ? SectionHeader.shown(height: .absolute(44), isPinned: false) : .unchanged
        let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0).with(header)
        return String(decoding: try expansion.layout.json(), as: UTF8.self)
    }

    private func page(locale: String, titles: [String], section: String) throws -> ClientPage {
        let ids = ["00000000000000000000000000000001", "00000000000000000000000000000002"]
        let items = titles.indices.map { #"{"placement": "p\#($0)", "item": "i\#($0)"}"# }.joined(separator: ",")
        let texts = titles.enumerated().map { #""i\#($0)": {"title": "\#($1)"}"# }.joined(separator: ",")
        let text = """
            {"schema": "vitrine.page/1", "feed": "today", "storefront": "us", "locale": "\(locale)", "title": "Today", "revision": 3,
             "layouts": {"\(ids[0])": \(try layout(#"{"carousel": {"rows": 2, "width": 0.6}}"#, hasHeader: true)), "\(ids[1])": \(try layout(#"{"grid": {"columns": 2}}"#))},
             "sections": [{"id": "today/a", "title": "\(section)", "layout": "\(ids[0])", "items": [\(items)]},
               {"id": "today/b", "layout": "\(ids[1])", "items": [\(items)]}],
             "items": {\(texts)}}
            """
        return ClientPage(try JSONDocument(parsing: text))
    }

    private func scene(_ page: ClientPage, _ device: String = "iphone") throws -> PreviewScene {
        try PreviewScene(PreviewRequest(page, on: try #require(matrix[device]), isRightToLeft: page.isRightToLeft))
    }

    private static let english = ["Harbor Notes", "A Poem at Noon", "Trailhead", "Night Tram 9", "Loop of Rain"]

    @Test("A page is drawn with its real titles and fits each terminal width", arguments: [40, 80, 200])
    func terminal(width: Int) throws {
        let text = TextRenderer(
            try scene(page(locale: "en", titles: Self.english, section: "Talked about")), width: width, isColored: false
        )
        .text
        #expect(text.split(separator: "\n").allSatisfy { $0.columns <= width })
        #expect(try Golden("page-\(width).txt").text(recording: text) == text)
    }

    @Test("A wide letter takes two columns, so that the boxes stay aligned")
    func wide() throws {
        let text = TextRenderer(
            try scene(page(locale: "ja", titles: ["夜市", "屋台めぐりの本", "灯り"], section: "今週の話題")), width: 60, isColored: false
        ).text
        #expect(text.contains("夜市"))
        let lines = text.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.contains("屋台めぐりの本") })
        // The lower edge of the box is on the next line.
        #expect(lines[index].columns == lines[index + 1].columns && lines[index + 1].hasSuffix("╯"), "\(text)")
    }

    @Test("An Arabic page is drawn from right to left")
    func arabic() throws {
        let arabic = try page(locale: "ar", titles: ["قهوة", "شاي", "خبز"], section: "اليوم")
        #expect(arabic.isRightToLeft)
        let scene = try scene(arabic)
        #expect(scene.isRightToLeft)
        let cells = scene.sections[1].cells
        #expect(cells[0].frame.x > cells[1].frame.x && cells[0].title == "قهوة")
    }

    @Test("The SVG of a page is well-formed, and its HTML escapes every title", arguments: ["iphone-se", "ipad-landscape"])
    func files(device: String) throws {
        let scene = try scene(page(locale: "en", titles: ["<&>", "It's \\\"so\\\""] + Self.english, section: "A & B"), device)
        let svg = SVGRenderer(scene).text
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(svg.contains("&lt;&amp;&gt;") && svg.contains("Harbor Notes"))
        let html = HTMLRenderer(scene).text
        #expect(html.contains("Night Tram 9") && html.contains("A &amp; B") && !html.contains("<&>"))
    }
}
