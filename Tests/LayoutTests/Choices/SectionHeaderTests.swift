import JSON
import Layout
import Testing

@Suite("The header of a section in its layouts")
struct SectionHeaderTests {
    /// Returns the headers of the solved layouts: of the layout, its variants and its alternates.
    private func headers(_ text: String, with header: SectionHeader) throws -> [SolvedBoundaryItem] {
        let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0).with(header)
        var headers: [SolvedBoundaryItem] = []
        for layout in [expansion.layout] + expansion.variants.map(\.layout) + expansion.alternates.map(\.layout) {
            let content = SectionContent(layout: layout.section, itemCount: 3)
            let page = try SolvedPage(solving: [content], in: LayoutEnvironment(width: 390, height: 844))
            headers += page.sections[0].boundaryItems.filter { $0.elementKind == "header" }
        }
        return headers
    }

    private static let cases: [(SectionHeader, Double, SolvedBoundaryItem.Pin)] = [
        (.added(height: .absolute(60), isPinned: false), 60, .none), (.added(height: .absolute(60), isPinned: true), 60, .start),
        (.added(height: SectionHeader.standardHeight, isPinned: true), 44, .start),
        (.added(height: SectionHeader.standardHeight, isPinned: false), 44, .none),
    ]

    @Test("A header has its height and its pin in every layout, also in a list", arguments: cases)
    func added(header: SectionHeader, height: Double, pin: SolvedBoundaryItem.Pin) throws {
        for form in [#""list": {}"#, #""list": {"appearance": "insetGrouped"}"#, #""grid": {}"#] {
            let text = #"""
                {\#(form), "variants": [{"when": {"minWidth": 600}, "layout": {"list": {"showsSeparators": false}}}],
                 "alternates": {"a": "active", "b": {"layout": {"list": {"rowHeight": {"absolute": 120}}}}}}
                """#
            let headers = try headers(text, with: header)
            #expect(headers.count >= 3, "\(form)")
            #expect(headers.allSatisfy { $0.frame.height == height && $0.pin == pin }, "\(form): \(headers)")
        }
    }
}
