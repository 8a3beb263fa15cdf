import Foundation
import FoundationXML
import JSON
import Layout
import ScreenFiles
import Testing

@testable import Drawing

@Suite("The drawing of a layout")
struct LayoutDrawingTests {
    private let matrix: ScreenMatrix

    init() throws { matrix = try ScreenMatrix.builtIn() }

    private func scene(_ text: String, device: String? = nil, itemCount: Int? = nil) throws -> PreviewScene {
        let document = try LayoutDocument(parsing: Array(text.utf8))
        var request = PreviewRequest(document, device: device, itemCount: itemCount, matrix: matrix)
        request.title = "a <b> & \"c\""
        return try PreviewScene(request)
    }

    @Test("Every preset has a well-formed drawing on every screen", arguments: Preset.all.map(\.name))
    func presets(name: String) throws {
        for screen in matrix.screens {
            let scene = try scene(#"{"preset": "\#(name)"}"#, device: screen.name)
            let svg = SVGRenderer(scene).text
            #expect(XMLParser(data: Data(svg.utf8)).parse(), "\(screen.name)")
            #expect(!svg.contains("nan") && !svg.contains("inf\""))
            #expect(HTMLRenderer(scene).text.contains("class=\"cell\""))
            for width in [6, 20, 40, 60, 80, 200] {
                let lines = TextRenderer(scene, width: width, isColored: false).text.split(separator: "\n")
                #expect(lines.allSatisfy { $0.count <= width }, "\(screen.name), \(width)")
            }
        }
    }

    @Test("Drawings show opacity, displaced contents, the current page and stretchy headers")
    func effects() throws {
        let size = #""size": {"width": {"fractionalWidth": 1}, "height": {"absolute": 40}}"#
        let scene = try scene(
            #"""
            {"group": {"kind": "horizontal", "size": {"width": {"absolute": 130}, "height": {"absolute": 130}}, "subitems": [
               {"kind": "item", "size": {"width": {"fractionalWidth": 1}, "height": {"fractionalHeight": 1}}}]},
             "orthogonalScrollingBehavior": "groupPaging", "effects": [{"fade": {"min": 0.25}}, {"parallax": {"factor": 0.1}}],
             "boundarySupplementaryItems": [
               {"elementKind": "hero", \#(size), "alignment": "top", "stretchyHeader": true},
               {"elementKind": "pageIndicator", \#(size), "alignment": "bottom"}]}
            """#, itemCount: 6)
        // The first cell is a third of the viewport away from the middle.
        let text = TextRenderer(scene, width: 80, isColored: false).text
        for part in ["1 75% →13", " 2 ", "3 75% ←13", "⇕ hero", "● ○ ○ ○"] { #expect(text.contains(part), "\(part) in\n\(text)") }
        let svg = SVGRenderer(scene).text
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(svg.contains(#"<g opacity="0.75">"#) && svg.contains("⇕ hero") && svg.contains("● ○ ○ ○"))
        #expect(svg.contains(#"<text x="78""#))
        let html = HTMLRenderer(scene).text
        #expect(html.contains("opacity:0.75;overflow:hidden") && html.contains(#"<span style="transform:translate(13px,0px)">1</span>"#))
        #expect(html.contains("⇕ hero") && html.contains(#"class="pages""#))
    }

    @Test("Drawings fill backgrounds and lists with the colors of the layout")
    func colors() throws {
        let list = try scene(
            ##"""
            {"list": {"background": "#112233", "rowBackground": "accent", "separators": {"color": "#445566", "insets": {"leading": 20}}},
             "decorationItems": [
               {"elementKind": "a", "fill": {"gradient": {"colors": ["#AABBCC", "#DDEEFF"], "axis": "horizontal"}}, "cornerRadius": 9},
               {"elementKind": "b", "fill": "unknown"}, {"elementKind": "c", "fill": "#010203"}]}
            """##, itemCount: 3)
        let svg = SVGRenderer(list).text
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        for part in [
            ##"fill="#112233""##, ##"fill="#0066d6""##, ##"<rect x="20" y="43.25" width="370" height="0.75" fill="#445566"/>"##,
            ##"rx="9" fill="url(#fill0-0)""##, ##"<stop offset="1" stop-color="#DDEEFF"/>"##, ##"rx="0" fill="#eceff7""##,
            ##"rx="0" fill="#010203""##,
        ] { #expect(svg.contains(part), "\(part)") }
        let html = HTMLRenderer(list).text
        for part in [
            "background:#112233", "background:#0066d6", "background:linear-gradient(to right, #AABBCC, #DDEEFF);border:0;border-radius:9px",
            "left:20px;top:43.25px;width:370px;height:0.75px;background:#445566",
        ] { #expect(html.contains(part), "\(part)") }
        #expect(!html.contains("unknown"))
    }

    @Test("A drawing escapes markup and control characters of the document")
    func escaping() throws {
        let size = #""size": {"width": {"fractionalWidth": 1}, "height": {"absolute": 50}}"#
        let scene = try scene(
            #"""
            {"group": {"kind": "horizontal", \#(size), "subitems": [{"kind": "item", \#(size)}]},
             "boundarySupplementaryItems": [{"elementKind": "<img src=x>\u001b[2J", \#(size), "alignment": "top"}]}
            """#)
        for text in [SVGRenderer(scene).text, HTMLRenderer(scene).text] {
            #expect(!text.contains("<img"))
            #expect(!text.contains("<b>"))
        }
        #expect(XMLParser(data: Data(SVGRenderer(scene).text.utf8)).parse())
        #expect(!TextRenderer(scene, width: 80, isColored: false).text.contains("\u{1B}"))
    }

    @Test("Horizontally scrolling, empty and right-to-left pages have well-formed drawings")
    func odd() throws {
        let layouts = #""layouts": [{"preset": "feature-pair"}, {"preset": "zoom-carousel"}]"#
        for environment in [#""layoutDirection": "rightToLeft", "#, ""] {
            for direction in ["vertical", "horizontal"] {
                for counts in ["[7, 9]", "[0, 0]", "[]"] {
                    let scene = try scene(
                        #"""
                        {"environment": {\#(environment)"width": 390, "height": 844}, "itemCounts": \#(counts), \#(layouts),
                         "configuration": {"scrollDirection": "\#(direction)"}}
                        """#)
                    #expect(XMLParser(data: Data(SVGRenderer(scene).text.utf8)).parse())
                    #expect(!TextRenderer(scene, width: 80, isColored: true).text.isEmpty)
                    #expect(HTMLRenderer(scene).text.hasSuffix("</html>\n"))
                }
            }
        }
    }

    @Test("A right-to-left scroller starts at its far end")
    func start() throws {
        let layouts = #""layouts": [{"preset": "feature-pair-carousel"}]"#
        let scene = try scene(
            #"{"environment": {"layoutDirection": "rightToLeft", "width": 390, "height": 844}, "itemCounts": [12], \#(layouts)}"#)
        // 4 groups of 323 points have insets of 5, and 390 points are visible: 912 is the largest offset.
        #expect(scene.sections.first?.scroller?.offset == 912)
        #expect(HTMLRenderer(scene).text.contains("data-start=\"912\""))
    }

    @Test("The drawing of the largest numbers that a layout can have is small")
    func hostile() throws {
        let scene = try scene(
            #"""
            {"group": {"kind": "horizontal", "size": {"width": {"absolute": 1e9}, "height": {"absolute": 1e9}}, "subitems": [
              {"kind": "item", "size": {"width": {"absolute": 1e9}, "height": {"absolute": 1e9}}}]}, "interGroupSpacing": 1e9,
             "orthogonalScrollingBehavior": "groupPagingCentered"}
            """#, itemCount: 1000)
        #expect(SVGRenderer(scene).text.utf8.count < 1 << 20)
        #expect(TextRenderer(scene, width: 80, isColored: true).text.utf8.count < 1 << 18)
        #expect(HTMLRenderer(scene).text.utf8.count < 1 << 20)
    }

    @Test("A product of large fractions that exceeds every integer draws without a crash", arguments: ["vertical", "horizontal"])
    func immense(direction: String) throws {
        let wide = #""size": {"width": {"fractionalWidth": 1e9}, "height": {"estimated": 10}}"#
        let cell = #"{"kind": "item", "size": {"width": {"fractionalWidth": 1}, "height": {"fractionalWidth": 1e9}}}"#
        let inner = #"{"kind": "vertical", \#(wide), "subitems": [\#(cell)]}"#
        let group = #"{"kind": "vertical", \#(wide), "subitems": [\#(inner)]}"#
        for paging in ["none", "groupPaging"] {
            let scene = try scene(
                #"""
                {"environment": {"width": 390, "height": 844}, "itemCounts": [3], "configuration": {"scrollDirection": "\#(direction)"},
                 "layouts": [{"compositional": {"group": \#(group), "orthogonalScrollingBehavior": "\#(paging)"}}]}
                """#)
            #expect(!TextRenderer(scene, width: 80, isColored: true).text.isEmpty)
            #expect(!SVGRenderer(scene).text.isEmpty)
            #expect(!HTMLRenderer(scene).text.isEmpty)
        }
    }

    @Test("The pictures in the documentation match what the program draws; RECORD_GOLDENS=1 records them", arguments: printed)
    func pictures(name: String) throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Sources/Layout/Layout.docc").standardizedFileURL
        let file = folder.appending(path: "\(name).svg")
        var request = PreviewRequest(
            try LayoutDocument(parsing: Array(#"{"preset": "\#(name)"}"#.utf8)), device: nil, itemCount: nil, matrix: matrix)
        request.title = name
        let text = SVGRenderer(try PreviewScene(request)).text
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" { try text.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    static let printed: [String] = [
        "feature-pair-carousel", "tree-carousel", "square-family-carousel", "nested-group-paging-centered", "photo-grid-by-section",
        "photo-grid-3-new-banner", "zoom-carousel", "top-apps-carousel",
    ]
}
