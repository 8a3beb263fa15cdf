import JSON
import Security
import TestSupport
import Testing

@testable import Layout

@Suite("Decoding a page leniently")
struct LayoutPageTests {
    private let hash: LayoutHash = { Digest.sha256($0) }

    /// Returns a page that uses every feature of presets and forms.
    private func page() throws -> LayoutPage {
        var page = LayoutPage(configuration: PageConfiguration(interSectionSpacing: 24))
        let names = ["zoom-carousel", "alphabetical-sections", "photo-grid-adaptive", "photo-grid-3-new-banner", "mosaic-carousel"]
        for name in names {
            let expansion = try #require(Preset.named(name)).expanded()
            let arrangement = expansion.published(into: &page.layouts, hashedBy: hash)
            page.sections.append(
                .init(id: "today/\(name)", arrangement: arrangement, cells: CellStyles(cell: "tile", slots: ["large": "tileLarge"])))
        }
        return page
    }

    @Test("A page decodes as it was encoded")
    func roundTrip() throws {
        let page = try page()
        let (read, issues) = LayoutPage.read(try page.json())
        #expect(issues.isEmpty)
        #expect(read == page)
        #expect(try LayoutPage(parsing: page.json()) == page)
    }

    @Test("Unknown values of a later version do not affect the rest of the page")
    func laterWords() throws {
        let id = String(repeating: "a", count: 32)
        let fallback = String(repeating: "b", count: 32)
        let group = #"{"kind":"vertical","size":{"width":{"absolute":1},"height":{"absolute":1}},"subitems":[\#(cell)]}"#
        let (page, _) = LayoutPage.read(
            Array(
                #"""
                {"schema": "vitrine.page/9", "configuration": {"interSectionSpacing": 3, "mood": "calm"},
                 "layouts": {
                  "\#(id)": {"kind": "spiral", "spiral": {"turns": 3}, "requires": ["group.spiral"], "fallback": "\#(fallback)"},
                  "\#(fallback)": {"kind": "carousel", "glow": true, "orthogonalScrollingBehavior": "magnetic", "group": \#(group),
                    "effects": [{"tilt": 3}], "requires": ["effect.tilt"]},
                  "\#(String(repeating: "c", count: 32))": {"kind": "grid", "columns": 4, "group": {"kind": "hexagon"}},
                  "short": {"list": {}}},
                 "sections": [{"id": "a", "layout": "\#(id)", "variants": [{"when": {"mood": 1}, "layout": "x"}]}, {"id": "b"}, 7]}
                """#.utf8))
        #expect(page.configuration.interSectionSpacing == 3)
        #expect(page.layouts.layouts.count == 3)
        let unknown = try #require(LayoutID(id))
        #expect(page.layouts[unknown] == .unknown(family: nil, fallback: LayoutID(fallback)))
        let known = try #require(page.layouts.resolve(unknown, for: [Capability("effect.tilt")])).descriptor
        #expect(known.section.orthogonalScrollingBehavior == .continuous)
        #expect(known.needs == [Capability("effect.tilt")])
        let hexagon = try #require(LayoutID(String(repeating: "c", count: 32)))
        #expect(page.layouts[hexagon] == .unknown(family: Family(.grid, columns: 4), fallback: nil))
        #expect(page.sections.map(\.id) == ["a", "b"])
        #expect(page.sections.map { $0.arrangement?.layout.text } == [id, nil])
    }

    private let cell = #"{"kind":"item","size":{"width":{"absolute":1},"height":{"absolute":1}}}"#

    @Test("A page with changed values still decodes, and its result decodes the same again", arguments: [11, 12, 13, 14] as [UInt64])
    func changedValues(seed: UInt64) throws {
        var mutation = PageMutation(seed: seed)
        let written = JSONValue(try JSONDocument(parsing: page().json(), limits: .page).root)
        for round in 0..<500 {
            var value = written
            for _ in 0...(round % 4) { value = mutation.changed(value) }
            let (page, _) = LayoutPage.read(try value.json())
            // A decoded page can be encoded and decoded again.
            #expect(LayoutPage.read(try page.json()).page == page, "seed \(seed), round \(round)")
        }
    }

    @Test("A page with changed bytes decodes to a page or to issues, and never crashes", arguments: [21, 22] as [UInt64])
    func changedBytes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let written = try page().json()
        for _ in 0..<500 {
            var bytes = written
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
            let (page, issues) = LayoutPage.read(bytes)
            #expect(!page.sections.isEmpty || !issues.isEmpty, "seed \(seed)")
        }
    }
}
