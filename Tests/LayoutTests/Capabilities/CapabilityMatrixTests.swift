import Foundation
import JSON
import Layout
import Security
import TestSupport
import Testing

@Suite("Clients with any set of capabilities")
struct CapabilityMatrixTests {
    private static let size = #""size": {"width": {"fractionalWidth": 1}, "height": {"uniformAcrossSiblings": 40}}"#

    /// Layouts that together use every capability.
    private static let layouts = [
        #"""
        {"compositional": {
          "group": {"kind": "vertical", \#(size), "subitems": [
            {"kind": "item", \#(size), "supplementaryItems": [{"elementKind": "badge", \#(size)}]},
            {"kind": "custom", \#(size), "frames": [{"width": 20, "height": 40}]}]},
          "orthogonalScrollingBehavior": "groupPaging", "orthogonalScrollingProperties": {"bounce": "always"},
          "boundarySupplementaryItems": [
            {"elementKind": "header", \#(size), "alignment": "top", "stretchyHeader": true},
            {"elementKind": "pageIndicator", \#(size), "alignment": "bottom"}],
          "decorationItems": [{"elementKind": "background", "fill": {"gradient": {"colors": ["accent", "#102030"]}}, "cornerRadius": 8}],
          "effects": [{"centerScale": {"min": 0.5, "max": 1}}, {"fade": {"min": 0.2}}, {"parallax": {"factor": 0.3}}]}}
        """#,
        ##"""
        {"list": {"appearance": "grouped", "separators": {"visibility": "hidden", "color": "separator"}, "background": "#112233",
          "rowBackground": "card", "rowHeight": {"uniformAcrossSiblings": 50}}}
        """##,
        #"{"grid": {"columns": 3, "regularColumns": 5}}"#, #"{"carousel": {"rows": 2}}"#, #"{"preset": "zoom-carousel"}"#,
    ]

    private static let firstVersion: Set<Capability> = [
        .styledLists, .scrollingProperties, .centerScale, .supplementaryItems, .uniformDimensions, .customGroups,
    ]

    private let table: LayoutTable
    private let ids: [LayoutID]

    init() throws {
        var table = LayoutTable()
        var ids: [LayoutID] = []
        for text in Self.layouts {
            let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0)
            let arrangement = expansion.published(into: &table) { Digest.sha256($0) }
            ids += [arrangement.layout] + arrangement.variants.map(\.layout)
        }
        (self.table, self.ids) = (table, ids)
    }

    private func sets(of capabilities: [Capability]) -> [Set<Capability>] {
        (0..<1 << capabilities.count).map { bits in
            Set(capabilities.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
        }
    }

    @Test("The layouts use every capability, and each fallback needs fewer")
    func coverage() {
        let needs = ids.reduce(into: Set<Capability>()) { needs, id in
            if case .known(let layout)? = table[id] { needs.formUnion(layout.needs) }
        }
        #expect(needs == Set(Capability.all))
        #expect(table.brokenFallbacks == [])
    }

    @Test("Each client gets a layout that needs only what the client supports")
    func everySet() throws {
        let sets = sets(of: Capability.all)
        #expect(sets.count == 16_384)
        for id in ids {
            for set in sets {
                let found = try #require(table.resolve(id, for: set), "\(set.map(\.name))")
                try #require(found.descriptor.section.capabilities.isSubset(of: set), "\(set.map(\.name))")
            }
        }
    }

    @Test("A client of version 1.0 gets a layout of version 1.0, with all that it supports")
    func oldClients() throws {
        let file = URL(filePath: #filePath).appending(path: "../../Goldens/schema/layout-1.0.json").standardizedFileURL
        let schema = SchemaValidator(try JSONValue(parsing: Array(try Data(contentsOf: file))))
        let later = try JSONValue(parsing: Array(#"{"list": {"background": "accent"}}"#.utf8))
        #expect(try !schema.accepts(later))
        for id in ids {
            for set in sets(of: Array(Self.firstVersion)) {
                let found = try #require(table.resolve(id, for: set)).descriptor
                #expect(try schema.accepts(JSONValue(parsing: found.json())), "\(set.map(\.name))")
            }
            let best = try #require(table.resolve(id, for: Self.firstVersion)).descriptor
            guard case .known(let full)? = table[id] else { continue }
            #expect(best.needs == full.needs.intersection(Self.firstVersion))
        }
    }
}
