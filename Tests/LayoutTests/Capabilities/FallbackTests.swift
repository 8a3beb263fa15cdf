import JSON
import Layout
import Security
import Testing

@Suite("Fallbacks")
struct FallbackTests {
    private let hash: LayoutHash = { Digest.sha256($0) }
    private let everything = Set(Capability.all)

    private func published(_ text: String) throws -> (LayoutTable, Arrangement) {
        var table = LayoutTable()
        let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0)
        let arrangement = expansion.published(into: &table, hashedBy: hash)
        return (table, arrangement)
    }

    @Test("Every preset has a fallback for a client without any capability", arguments: Preset.all)
    func presets(preset: Preset) throws {
        var table = LayoutTable()
        let arrangement = preset.expanded().published(into: &table, hashedBy: hash)
        #expect(table.brokenFallbacks == [])
        for id in [arrangement.layout] + arrangement.variants.map(\.layout) + arrangement.alternates.map(\.layout) {
            #expect(table.resolve(id, for: everything)?.id == id)
            #expect(try #require(table.resolve(id, for: [])).descriptor.needs == [])
        }
    }

    @Test("Each fallback of a chain drops one more capability")
    func chain() throws {
        let (table, arrangement) = try published(
            #"""
            {"compositional": {"effects": [{"centerScale": {"min": 0.5, "max": 1}}], "orthogonalScrollingBehavior": "continuous",
              "group": {"kind": "vertical", "size": {"width": {"absolute": 90}, "height": {"absolute": 90}}, "subitems": [
                {"kind": "item", "size": {"width": {"fractionalWidth": 1}, "height": {"uniformAcrossSiblings": 40}}},
                {"kind": "custom", "size": {"width": {"fractionalWidth": 1}, "height": {"absolute": 40}},
                 "frames": [{"width": 20, "height": 40}, {"x": 10, "width": 20, "height": 40}]}]}}}
            """#)
        #expect(table.layouts.count == 4)
        #expect(table.brokenFallbacks == [])
        let full = try #require(table.resolve(arrangement.layout, for: everything)).descriptor
        #expect(full.requires == [.centerScale, .uniformDimensions, .customGroups])
        let still = try #require(table.resolve(arrangement.layout, for: [.customGroups, .uniformDimensions])).descriptor
        #expect(still.section.effects == [])
        #expect(still.requires == [.customGroups, .uniformDimensions])
        let core = try #require(table.resolve(arrangement.layout, for: [])).descriptor
        let text = String(decoding: try core.canonicalJSON(), as: UTF8.self)
        #expect(text.contains(#"{"estimated":40}"#))
        #expect(text.contains(#""fill":{"equal":2}"#))
        #expect(core.family == full.family)
    }

    @Test("A chain that leaves a client without a layout is reported")
    func broken() throws {
        let section = try #require(Preset.named("zoom-carousel")).expanded().layout.section
        let plain = try #require(Preset.named("photo-grid-3")).expanded().layout
        var table = LayoutTable()
        let core = table.insert(plain, hashedBy: hash)
        let missing = try #require(LayoutID(String(repeating: "0", count: 32)))
        let ends = table.insert(LayoutDescriptor(section), hashedBy: hash)
        let dangling = table.insert(LayoutDescriptor(section, fallback: missing), hashedBy: hash)
        let same = table.insert(LayoutDescriptor(section, fallback: ends), hashedBy: hash)
        var idle = plain
        idle.fallback = core
        let needless = table.insert(idle, hashedBy: hash)
        let good = table.insert(LayoutDescriptor(section, fallback: core), hashedBy: hash)
        #expect(
            Dictionary(uniqueKeysWithValues: table.brokenFallbacks.map { ($0.layout, $0.reason) }) == [
                ends: .endsBeforeTheCore([.centerScale]), dangling: .missing(missing), same: .notFewer(ends), needless: .needless,
            ])
        #expect(table.resolve(dangling, for: []) == nil)
        #expect(table.resolve(good, for: [])?.id == core)
    }

    @Test("Resolving a cyclic chain of fallbacks ends with nil")
    func circle() throws {
        let ids = try ["a", "b"].map { try #require(LayoutID(String(repeating: $0, count: 32))) }
        let table = LayoutTable([ids[0]: .unknown(family: nil, fallback: ids[1]), ids[1]: .unknown(family: nil, fallback: ids[0])])
        #expect(table.resolve(ids[0], for: everything) == nil)
    }

    @Test("Equal layouts have the same ID in any notation, and other layouts have another")
    func ids() throws {
        let a = try published(#"{"grid": {"spacing": 5, "columns": 3}}"#).1.layout
        #expect(a == (try published(#"{"preset": "photo-grid-3"}"#).1.layout))
        #expect(a != (try published(#"{"preset": "photo-grid-3-headers"}"#).1.layout))
        // The first half of the SHA-256 hash of the canonical text.
        #expect(a.text == "f04447fcfd6a49307fe2b9f7f3809114")
    }
}
