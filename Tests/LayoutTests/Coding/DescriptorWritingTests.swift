import JSON
import Layout
import TestSupport
import Testing

@Suite("Encoding a layout")
struct DescriptorWritingTests {
    @Test(
        "Every example layout is encoded as it was decoded, without defaults",
        arguments: try GoldenCase.names())
    func roundTrip(name: String) throws {
        for layout in try GoldenCase(name).layouts {
            let written = String(decoding: try LayoutSection(parsing: layout).canonicalJSON(), as: UTF8.self)
            // The only default that the examples contain.
            #expect(written == String(decoding: layout, as: UTF8.self).replacing(#""x":0,"#, with: ""))
        }
    }

    @Test("Explicit defaults are omitted")
    func defaults() throws {
        let text = #"""
            {"group": {"kind": "vertical", "size": {"width": {"fractionalWidth": [2, 4]}, "height": {"absolute": 50.0}}, "fill": "repeat",
              "subitems": [{"kind": "item", "size": {"width": {"fractionalWidth": 0.50}, "height": {"absolute": 5e1}},
                "edgeSpacing": {"top": {"fixed": 0}}, "supplementaryItems": [
                  {"elementKind": "badge", "size": {"width": {"absolute": 1}, "height": {"absolute": 1}}, "zIndex": 1, "every": 1, "phase": 0,
                   "containerAnchor": {"edges": ["trailing", "top"], "absoluteOffset": {"x": 0}}}]}],
              "interItemSpacing": {"fixed": 0}, "contentInsets": {"top": -0.0}},
             "interGroupSpacing": 0, "orthogonalScrollingBehavior": "none", "orthogonalScrollingProperties": {"bounce": "automatic"},
             "contentInsetsReference": "automatic", "boundarySupplementaryItems": [], "decorationItems": [], "effects": []}
            """#
        let section = try LayoutSection(parsing: Array(text.utf8))
        let expected =
            #"{"group":{"kind":"vertical","size":{"height":{"absolute":50},"width":{"fractionalWidth":[1,2]}},"subitems":["#
            + #"{"kind":"item","size":{"height":{"absolute":50},"width":{"fractionalWidth":0.5}},"supplementaryItems":["#
            + #"{"containerAnchor":{"edges":["top","trailing"]},"elementKind":"badge","size":{"height":{"absolute":1},"width":{"absolute":1}}}]}]}}"#
        #expect(String(decoding: try section.canonicalJSON(), as: UTF8.self) == expected)
    }

    @Test("A random section and a random configuration decode as they were encoded")
    func randomRoundTrip() throws {
        for seed in 0..<400 as Range<UInt64> {
            var random = RandomLayouts(seed: seed)
            let section = random.section()
            #expect(try LayoutSection(parsing: section.json()) == section, "seed \(seed)")
            let configuration = random.configuration()
            #expect(try PageConfiguration(parsing: configuration.json()) == configuration, "seed \(seed)")
        }
    }

    @Test("An environment decodes as it was encoded")
    func environment() throws {
        let environment = LayoutEnvironment(
            width: 1024, height: 768, scale: 2, horizontalSizeClass: .regular, layoutDirection: .rightToLeft,
            safeArea: EdgeLengths(top: 20.5), layoutMargins: EdgeLengths(leading: 16, trailing: 16), readableContent: .zero)
        #expect(try LayoutEnvironment(parsing: environment.json()) == environment)
    }
}
