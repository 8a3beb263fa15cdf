import Items
import JSON
import Layout
import Resolve
import Testing
import Values

@testable import Feeds

@Suite("The variants of a page") struct PageVariantTests {
    private static func id(_ letter: Character) throws -> LayoutID { try #require(LayoutID(String(repeating: letter, count: 32))) }

    @Test("The layouts of a section are its own, its variants, its alternates and the layout of its list")
    func layouts() throws {
        let arrangement = Arrangement(
            layout: try Self.id("a"), variants: [.init(when: Condition(horizontalSizeClass: .regular), try Self.id("b"))],
            alternates: [.init("grid", try Self.id("c"))])
        let locale = try #require(LocaleTag("en"))
        let title = try #require(LocalizedText([locale: "All"]))
        let all = PublishedSection.SeeAll(title: title, arrangement: Arrangement(layout: try Self.id("d")))
        let cells = try #require(CellStyles(cell: "row"))
        let section = PublishedSection(
            id: "today/apps", title: nil, subtitle: nil, arrangement: arrangement, cells: cells, fill: .init(size: 20), continues: false,
            grouping: .none, target: nil, seeAll: all, skeleton: nil, tracking: "today/apps")
        let expected = try "abcd".map(Self.id)
        #expect(section.layouts == expected)
    }
}
