import Feeds
import Foundation
import FoundationXML
import JSON
import Layout
import ScreenFiles
import Testing

@testable import Drawing

@Suite("The picture of cards and of pinned items with their own appearance")
struct CardPictureTests {
    private static let id = "00000000000000000000000000000001"
    private static let tall = #"{"carousel": {"width": 0.9, "height": 320}}"#
    private static let rows = #"{"list": {"rowHeight": {"absolute": 160}}}"#
    private static let texts = #""kicker": "Ramadan", "title": "Iftar near you", "subtitle": "From sunset""#
    private static let sizes = #""width": 1280, "height": 720, "sizes": [[320, 180], [640, 360], [1280, 720]]"#
    private static let image = ##""image": {"template": "/i/{w}x{h}.png", \##(sizes), "color": "#1F6F8B"}"##

    private struct Drawn {
        let scene: PreviewScene
        let content: PageContent

        func picture(_ images: [String: String] = [:]) -> PagePicture { PagePicture(scene, content, images: images) }

        var svg: String { picture().source(as: .svg(isWhole: false)) }

        /// The lines below the title of the page, with the attributes of their elements.
        var texts: [(attributes: String, line: String)] {
            let texts = svg.matches(of: /<text ([^>]*)>([^<]*)<\/text>/).map { (attributes: String($0.1), line: String($0.2)) }
            return texts.filter { !["9:41", "Today"].contains($0.line) }
        }

        var lines: [String] { texts.map(\.line) }

        func color(of line: String) throws -> String {
            let text = try #require(texts.first { $0.line == line }, "\(line)")
            return try #require(text.attributes.firstMatch(of: /fill="(#[0-9a-f]+)"/).map { String($0.1) })
        }
    }

    /// Returns a page with one section, below one that the client does not see.
    private func drawn(_ cell: String, _ layout: String, _ placements: String...) throws -> Drawn {
        let expansion = try LayoutChoice(parsing: Array(layout.utf8)).expanded(at: 0)
        let placements = placements.joined(separator: ",")
        let item =
            #""kind": "topApp", "title": "Harbor Notes", "subtitle": "Write by the water", "price": {"amountMinor": 1499, "currency": "USD"}"#
        let document = try JSONDocument(
            parsing: """
                {"feed": "today", "storefront": "us", "locale": "en", "title": "Today", "revision": 1,
                 "layouts": {"\(Self.id)": \(String(decoding: try expansion.layout.json(), as: UTF8.self))},
                 "sections": [
                   {"id": "today/hidden", "target": {"tags": ["vip"]}, "layout": "\(Self.id)", "cell": "suggestion", "items": [\(placements)]},
                   {"id": "today/a", "layout": "\(Self.id)", "cell": "\(cell)", "items": [\(placements)]}],
                 "items": {"i": {\(item)}}}
                """)
        let page = ClientPage(document)
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"])
        return Drawn(
            scene: try PreviewScene(PreviewRequest(page, on: screen, isRightToLeft: false)), content: PageContent(page, document))
    }

    private func card(_ members: String...) -> String {
        #"{"placement": "today/a/~c", "card": {\#(members.joined(separator: ","))}}"#
    }

    @Test(
        "A card has its kicker above its title, and no button",
        arguments: [("heroCard", Self.tall), ("tile", Self.tall), ("appRow", Self.rows)])
    func texts(cell: String, layout: String) throws {
        let drawn = try drawn(cell, layout, card(Self.texts, Self.image))
        #expect(drawn.lines == ["Ramadan", "Iftar near you", "From sunset"])
        let attributes = try #require(drawn.texts.first).attributes
        #expect(attributes.contains("font-weight=\"600\""))
        #expect(XMLParser(data: Data(drawn.svg.utf8)).parse())
    }

    @Test("The texts on an image are white, and those below it are not")
    func colors() throws {
        let hero = try drawn("heroCard", Self.tall, card(Self.texts, Self.image))
        #expect(hero.svg.contains("url(#shade)") && hero.svg.contains("fill=\"#1F6F8B\""))
        for line in ["Ramadan", "Iftar near you"] { #expect(try hero.color(of: line) == "#ffffff") }
        let tile = try drawn("tile", Self.tall, card(Self.texts, Self.image))
        #expect(!tile.svg.contains("url(#shade)"))
        #expect(try tile.color(of: "Ramadan") == CellDrawing.Color.accent)
        #expect(try tile.color(of: "Iftar near you") == CellDrawing.Color.label)
    }

    @Test("A card without an image has dark texts on a color", arguments: ["heroCard", "posterLarge", "tile"])
    func withoutImage(cell: String) throws {
        let drawn = try drawn(cell, Self.tall, card(Self.texts))
        #expect(drawn.lines == ["Ramadan", "Iftar near you", "From sunset"])
        #expect(!drawn.svg.contains("url(#shade)") && drawn.svg.contains("fill=\"\(CellDrawing.Color.tint)\""))
        #expect(try drawn.color(of: "Iftar near you") == CellDrawing.Color.label)
    }

    @Test("A card that is as wide as the page is drawn between the margins of the page", arguments: ["tile", "posterLarge"])
    func margins(cell: String) throws {
        for card in [card(Self.texts), card(Self.texts, Self.image)] {
            let texts = try drawn(cell, Self.rows, card).texts
            #expect(texts.count == 3)
            for text in texts {
                let x = try #require(text.attributes.firstMatch(of: /x="([0-9.]+)"/).flatMap { Double($0.1) })
                #expect(x > 20)
            }
        }
    }

    @Test("An image without a color is a neutral gradient until it is loaded")
    func gradient() throws {
        let drawn = try drawn("heroCard", Self.tall, card(#""image": {"template": "/i/{w}x{h}.png", \#(Self.sizes)}"#))
        #expect(drawn.svg.contains("url(#n") && drawn.lines.isEmpty && !drawn.svg.contains("url(#shade)"))
        let url = try #require(drawn.picture().imageURLs(as: .svg(isWhole: false)).first)
        let loaded = drawn.picture([url: "data:image/png;base64,AA=="]).source(as: .svg(isWhole: false))
        #expect(loaded.contains("href=\"data:image/png;base64,AA==\""))
    }

    @Test("A row requests a smaller image than a hero")
    func requestedImages() throws {
        let row = try drawn("appRow", Self.rows, card(Self.texts, Self.image))
        #expect(row.picture().imageURLs(as: .html) == ["/i/320x180.png"])
        let hero = try drawn("heroCard", Self.tall, card(Self.texts, Self.image))
        #expect(hero.picture().imageURLs(as: .html) == ["/i/1280x720.png"])
    }

    @Test(
        "An image has the smallest size that is wide enough for the frame that it covers, or else the largest",
        arguments: [
            (Self.sizes, 100.0, 50.0, "/320x180"), (Self.sizes, 160, 90, "/320x180"), (Self.sizes, 100, 100, "/640x360"),
            (Self.sizes, 2_000, 100, "/1280x720"),
            (#""width": 1280, "height": 720"#, 100, 45, "/200x113"), (#""width": 1280, "height": 720"#, 900, 10, "/1280x720"),
        ])
    func renditions(sizes: String, width: Double, height: Double, url: String) throws {
        let image = try #require(PageImage(try JSONDocument(parsing: #"{"template": "/{w}x{h}", \#(sizes)}"#).root))
        #expect(image.rendition(covering: Rectangle(x: 0, y: 0, width: width, height: height)).url == url)
    }

    @Test(
        "An image without a template and a URL, or without the size of its template, is not drawn",
        arguments: ["{}", #"{"template": "/{w}x{h}"}"#, #"{"template": "/{w}x{h}", "width": 0, "height": 9, "sizes": [[1], [0, 1]]}"#])
    func invalidImages(text: String) throws {
        #expect(PageImage(try JSONDocument(parsing: text).root) == nil)
    }

    @Test("The first lines of a body are drawn if there is room", arguments: [("appRow", Self.rows), ("tile", Self.tall)])
    func body(cell: String, layout: String) throws {
        let body = #""body": "The first paragraph.\nThe second one.""#
        for card in [card(Self.texts, Self.image, body), card(Self.texts, body)] {
            let lines = try drawn(cell, layout, card).lines
            #expect(lines.suffix(2) == ["The first paragraph.", "The second one."])
        }
        let small = try drawn(cell, #"{"list": {"rowHeight": {"absolute": 44}}}"#, card(Self.texts, Self.image, body)).lines
        #expect(!small.contains("The second one."))
    }

    @Test("The lines of a text with line breaks end at the maximum")
    func paragraphs() {
        let font = Font(13)
        #expect(font.lines(ofParagraphs: "One\n\nTwo\nThree", in: 200, maximum: 2) == ["One", "Two"])
        #expect(font.lines(ofParagraphs: "One\nTwo", in: 200, maximum: 0).isEmpty)
    }

    @Test("A pinned item has the texts and the image of its pin instead of its own")
    func appearance() throws {
        let show = #"{"title": "Write by the sea", "subtitle": "A new edition", \#(Self.image)}"#
        let drawn = try drawn("heroCard", Self.tall, #"{"placement": "today/a/1", "item": "i", "show": \#(show)}"#)
        #expect(drawn.lines == ["Write by the", "sea", "A new edition", "$14.99"])
        #expect(drawn.svg.contains("fill=\"#1F6F8B\""))
        let plain = try self.drawn("heroCard", Self.tall, #"{"placement": "today/a/1", "item": "i"}"#)
        #expect(plain.lines == ["Harbor Notes", "Write by the water", "$14.99"])
    }

    @Test("A wireframe and the text of a page have the titles of cards")
    func wireframes() throws {
        let scene = try drawn("heroCard", Self.tall, card(#""title": "Iftar""#)).scene
        #expect(TextRenderer(scene, width: 80, isColored: false).text.contains("Iftar"))
        #expect(SVGRenderer(scene).text.contains("Iftar") && HTMLRenderer(scene).text.contains("Iftar"))
        #expect(scene.sections.map(\.id) == ["today/a"])
    }

    @Test("Hostile texts of a card stay text", arguments: ["heroCard", "appRow", "tile"])
    func hostile(cell: String) throws {
        let hostile = #"</text><script>\u0007"#
        let texts = ["kicker", "title", "subtitle", "body"].map { #""\#($0)": "\#(hostile)""# }
        let image = #""image": {"template": "\"/><script>", "width": 1, "height": 1, "color": "\"/><script>"}"#
        for card in [card(texts.joined(separator: ",")), card(texts.joined(separator: ","), image)] {
            let picture = try drawn(cell, Self.tall, card).picture()
            #expect(!picture.source(as: .svg(isWhole: true)).contains("<script>"))
            #expect(XMLParser(data: Data(picture.source(as: .svg(isWhole: true)).utf8)).parse())
        }
    }
}
