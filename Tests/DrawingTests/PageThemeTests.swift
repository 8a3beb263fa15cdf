import Feeds
import Foundation
import FoundationXML
import JSON
import Layout
import ScreenFiles
import Testing

@testable import Drawing

@Suite("The theme of a page in its drawings")
struct PageThemeTests {
    private static let layout = ##"""
        {"list": {"headerMode": "supplementary", "rowHeight": {"absolute": 88}, "background": "paper", "rowBackground": "#FEFEFE",
           "separators": {"color": "line"}},
         "decorationItems": [
           {"elementKind": "a", "fill": {"gradient": {"colors": ["shade", "#010203"]}}}, {"elementKind": "b", "fill": "tint"}]}
        """##
    private static let theme = ##"""
        {"accent": {"light": "#8A6D1F", "dark": "#E3C878"}, "paper": {"light": "#F6F1E4"}, "line": {"light": "#D9CDA8"},
         "shade": {"light": "#0A0B0C"}, "tint": {"light": "#FFEEDD"}}
        """##

    private struct Drawn {
        let scene: PreviewScene
        let content: PageContent

        var svg: String { PagePicture(scene, content).source(as: .svg(isWhole: true)) }
        var html: String { PagePicture(scene, content).source(as: .html) }
        var wireframes: [String] { [SVGRenderer(scene).text, HTMLRenderer(scene).text] }

        func color(of line: String) throws -> String {
            let texts = svg.matches(of: /<text ([^>]*)>([^<]*)<\/text>/).map { (attributes: String($0.1), line: String($0.2)) }
            let text = try #require(texts.first { $0.line == line }, "\(line)")
            return try #require(text.attributes.firstMatch(of: /fill="(#[0-9A-Fa-f]+)"/).map { String($0.1) })
        }
    }

    /// Returns a page with a list of two items, below a header with a link.
    private func drawn(_ theme: String, _ appearance: FeedTheme.Appearance = .light) throws -> Drawn {
        let id = "00000000000000000000000000000001"
        let layout = try LayoutChoice(parsing: Array(Self.layout.utf8)).expanded(at: 0).layout
        let item = #"{"kind": "topApp", "title": "Harbor Notes", "price": {"amountMinor": 1499, "currency": "USD"}}"#
        let document = try JSONDocument(
            parsing: """
                {"feed": "today", "storefront": "us", "locale": "en", "title": "Today", "revision": 1, "theme": \(theme),
                 "layouts": {"\(id)": \(String(decoding: try layout.json(), as: UTF8.self))},
                 "sections": [{"id": "today/a", "title": "Talked about", "layout": "\(id)", "cell": "appRow",
                   "seeAll": {"title": "All", "layout": "\(id)", "href": "/x"},
                   "items": [{"placement": "p0", "item": "i0"}, {"placement": "p1", "item": "i1"}]}],
                 "items": {"i0": \(item), "i1": \(item)}}
                """)
        let page = ClientPage(document)
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"])
        let request = PreviewRequest(page, on: screen, isRightToLeft: false, appearance: appearance)
        return Drawn(scene: try PreviewScene(request), content: PageContent(page, document))
    }

    @Test("Backgrounds, separators and decorations have the colors of their tokens")
    func tokens() throws {
        let drawn = try drawn(Self.theme)
        for source in [drawn.svg, drawn.html] + drawn.wireframes {
            for color in ["#F6F1E4", "#D9CDA8", "#0A0B0C", "#FFEEDD"] { #expect(source.contains(color), "\(color)") }
            #expect(!source.contains("#E3C878"))
        }
        #expect(drawn.svg.contains("fill=\"#D9CDA8\"") && !drawn.svg.contains("fill=\"\(CellDrawing.Color.separator)\""))
        #expect(XMLParser(data: Data(drawn.svg.utf8)).parse())
    }

    @Test("A token without a color in the theme has the default of the drawing")
    func unknown() throws {
        let (unknown, plain) = (try drawn(##"{"other": {"light": "#F6F1E4"}}"##), try drawn("{}"))
        #expect(unknown.svg == plain.svg && unknown.html == plain.html && unknown.wireframes == plain.wireframes)
        #expect(plain.svg.contains("fill=\"\(CellDrawing.Color.separator)\"") && plain.svg.contains("fill=\"#f2f2f7\""))
        for token in ["paper", "line", "shade", "tint"] { #expect(!plain.svg.contains("fill=\"\(token)\"")) }
    }

    @Test("Buttons and links have the color of the token accent, or the default of the drawing")
    func accent() throws {
        for line in ["$14.99", "See All"] {
            #expect(try drawn(Self.theme).color(of: line) == "#8A6D1F")
            #expect(try drawn("{}").color(of: line) == CellDrawing.Color.accent)
        }
        #expect(try !drawn(Self.theme).html.contains(CellDrawing.Color.accent))
    }

    @Test("In dark appearance, a token has its dark color, or else its light one")
    func dark() throws {
        let drawn = try drawn(Self.theme, .dark)
        #expect(try drawn.color(of: "See All") == "#E3C878")
        #expect(drawn.svg.contains("fill=\"#F6F1E4\""))
    }

    @Test("Invalid colors of a theme are omitted")
    func hostile() throws {
        let drawn = try drawn(##"{"accent": {"light": "red\"/><script>"}, "paper": {"light": "tint"}, "line": {"light": "#D9CDA8"}}"##)
        #expect(try drawn.color(of: "See All") == CellDrawing.Color.accent)
        #expect(drawn.svg.contains("fill=\"#D9CDA8\"") && !drawn.svg.contains("<script>") && !drawn.svg.contains("fill=\"tint\""))
        #expect(try self.drawn("7").svg == self.drawn("{}").svg)
    }
}
