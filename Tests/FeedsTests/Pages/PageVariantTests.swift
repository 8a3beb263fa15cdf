import Items
import JSON
import Layout
import Testing

@testable import Feeds

@Suite("What a page of a feed depends on") struct PageVariantTests {
    private static func id(_ letter: Character) throws -> LayoutID { try #require(LayoutID(String(repeating: letter, count: 32))) }

    @Test("Are all layouts of a section: its own, those of other screens, those to choose from, and that of its list")
    func layouts() throws {
        let arrangement = Arrangement(
            layout: try Self.id("a"), variants: [.init(when: .horizontalSizeClass(.regular), try Self.id("b"))],
            alternates: [.init("grid", try Self.id("c"))])
        let locale = try #require(LocaleTag("en"))
        let title = try #require(LocalizedText([locale: "All"]))
        let all = PublishedSection.SeeAll(title: title, layout: try Self.id("d"))
        let section = PublishedSection(
            id: "today/apps", title: nil, subtitle: nil, arrangement: arrangement, cells: .all("row"), grouping: .none, target: nil,
            seeAll: all, skeleton: nil, tracking: "today/apps")
        let expected = try "abcd".map(Self.id)
        #expect(section.layouts == expected)
    }
}
