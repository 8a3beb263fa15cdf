import JSON
import Layout
import TestSupport
import Testing

@Suite("Presets")
struct PresetTests {
    @Test("The presets have the documented names, each once")
    func names() {
        let names = """
            feature-pair feature-pair-carousel tri-column-carousel image-carousel tree-carousel square-family-carousel plain-rows \
            two-column-grid monster-pair-fullscreen nested-row-none nested-row-continuous nested-row-paging nested-group-paging \
            nested-group-paging-centered photo-grid photo-grid-3 photo-grid-3-headers photo-grid-3-pinned-headers photo-grid-3-new-banner \
            photo-grid-3-background photo-grid-by-section photo-grid-adaptive mosaic-large-four mosaic-carousel zoom-carousel emoji-grid \
            emoji-column alphabetical-sections two-thirds-stack two-thirds-stack-triplet top-apps-carousel
            """
        #expect(Preset.all.map(\.name) == names.split(separator: " ").map(String.init))
    }

    @Test(
        "The presets equal the example layouts, except for slot names",
        arguments: try GoldenCase.names())
    func examples(name: String) throws {
        guard let preset = Preset.named(preset(of: name)) else {
            #expect(["odd-", "rule-", "monster-pair-literal"].contains { name.hasPrefix($0) })
            return
        }
        let golden = try GoldenCase(name)
        for (index, layout) in golden.layouts.enumerated() {
            let expected = try LayoutSection(parsing: layout)
            let section = preset.expanded(at: index).layout(in: try golden.environment).section
            let text = String(decoding: try section.canonicalJSON(), as: UTF8.self)
            #expect(text.replacing(/,"slot":"[a-z]+"/, with: "") == String(decoding: try expected.canonicalJSON(), as: UTF8.self))
        }
    }

    private func preset(of name: String) -> String {
        switch name {
        case "photo-grid-adaptive-compact", "photo-grid-adaptive-regular": "photo-grid-adaptive"
        case "alphabetical-sections-grid": "alphabetical-sections"
        default: name
        }
    }

    @Test(
        "Each preset has the family that clients without compositional layouts use",
        arguments: [
            ("plain-rows", Family(.list)), ("emoji-column", Family(.list)), ("two-column-grid", Family(.grid, columns: 2)),
            ("photo-grid-3", Family(.grid, columns: 3)), ("emoji-grid", Family(.grid, columns: 2)),
            ("image-carousel", Family(.carousel, paging: .paging)), ("zoom-carousel", Family(.carousel, paging: .continuous)),
            ("top-apps-carousel", Family(.carousel, rows: 3, paging: .groupPaging)), ("feature-pair", Family(.nestedGroup)),
            ("feature-pair-carousel", Family(.nestedGroup, paging: .continuousGroupLeadingBoundary)),
            ("mosaic-carousel", Family(.nestedGroup, paging: .groupPaging)), ("two-thirds-stack-triplet", Family(.nestedGroup)),
        ])
    func families(name: String, family: Family) throws {
        #expect(try #require(Preset.named(name)).expanded().layout.family == family)
    }

    @Test("A preset by section has more columns in each section")
    func bySection() throws {
        let preset = try #require(Preset.named("photo-grid-by-section"))
        #expect((0..<3).map { preset.expanded(at: $0).layout.family?.columns } == [3, 4, 5])
        for index in [Int.min, -1, 1_000_000, Int.max] { _ = preset.expanded(at: index) }
    }

    @Test("A preset offers its other layout of the same items as an alternate")
    func alternates() throws {
        let expansion = try #require(Preset.named("alphabetical-sections")).expanded()
        #expect(expansion.active == "grid")
        #expect(expansion.alternates.map(\.name) == ["column"])
        #expect(expansion.alternates.first?.layout == Preset.named("emoji-column")?.expanded().layout)
    }
}
