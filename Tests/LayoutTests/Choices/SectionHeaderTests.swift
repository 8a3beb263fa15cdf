import JSON
import Layout
import Testing

@Suite("The header of a section in its layouts")
struct SectionHeaderTests {
    /// Returns the headers of each solved layout: of the layout, its variants and its alternates.
    private func headers(_ text: String, with header: SectionHeader) throws -> [[SolvedBoundaryItem]] {
        let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0).with(header)
        return try ([expansion.layout] + expansion.variants.map(\.layout) + expansion.alternates.map(\.layout)).map { layout in
            let content = SectionContent(layout: layout.section, itemCount: 3)
            let page = try SolvedPage(solving: [content], in: LayoutEnvironment(width: 390, height: 844))
            return page.sections[0].boundaryItems.filter { $0.elementKind == "header" }
        }
    }

    private static let cases: [(SectionHeader, Double, SolvedBoundaryItem.Pin)] = [
        (.shown(height: .absolute(60), isPinned: nil), 60, .none), (.shown(height: .absolute(60), isPinned: true), 60, .start),
        (.shown(height: nil, isPinned: true), 44, .start), (.shown(height: nil, isPinned: nil), 44, .none),
        (.shown(height: SectionHeader.standardHeight, isPinned: false), 44, .none),
    ]

    @Test("Every layout has exactly one added header, with its height and its pin, also in a list", arguments: cases)
    func added(header: SectionHeader, height: Double, pin: SolvedBoundaryItem.Pin) throws {
        let forms = [
            (#""list": {}"#, 3), (#""list": {"appearance": "insetGrouped"}"#, 3), (#""list": {"headerMode": "firstItemInSection"}"#, 3),
            (#""grid": {}"#, 4), (#""grid": {"columns": 2, "regularColumns": 4}"#, 6),
        ]
        for (form, layoutCount) in forms {
            let text = #"""
                {\#(form), "variants": [{"when": {"minWidth": 600}, "layout": {"list": {"showsSeparators": false}}}],
                 "alternates": {"a": "active", "b": {"layout": {"list": {"rowHeight": {"absolute": 120}}}}}}
                """#
            let headers = try headers(text, with: header)
            #expect(headers.map(\.count) == Array(repeating: 1, count: layoutCount), "\(form)")
            #expect(headers.joined().allSatisfy { $0.frame.height == height && $0.pin == pin }, "\(form): \(headers)")
        }
    }

    @Test(
        "A height and a pin replace those of the layout's own header, which keeps the others",
        arguments: [
            (#"{"preset": "top-apps-carousel"}"#, .shown(height: .absolute(60), isPinned: true), 60, .start),
            (#"{"preset": "top-apps-carousel"}"#, .shown(height: nil, isPinned: true), 44, .start),
            (#"{"preset": "emoji-grid"}"#, .shown(height: .absolute(60), isPinned: nil), 60, .start),
            (#"{"preset": "emoji-grid"}"#, .shown(height: nil, isPinned: false), 40, .none),
            (#"{"preset": "alphabetical-sections"}"#, .shown(height: nil, isPinned: nil), 40, .start),
            (#"{"list": {"headerMode": "supplementary"}}"#, .shown(height: .absolute(60), isPinned: nil), 60, .none),
            (#"{"list": {"headerMode": "supplementary"}}"#, .shown(height: nil, isPinned: true), 44, .start),
            (#"{"list": {"headerMode": "supplementary"}}"#, .shown(height: nil, isPinned: nil), 44, .none),
        ] as [(String, SectionHeader, Double, SolvedBoundaryItem.Pin)])
    func own(form: String, header: SectionHeader, height: Double, pin: SolvedBoundaryItem.Pin) throws {
        let choice = try LayoutChoice(parsing: Array(form.utf8)).expanded(at: 0)
        let headers = try headers(form, with: header)
        #expect(headers.map(\.count) == Array(repeating: 1, count: 1 + choice.variants.count + choice.alternates.count))
        #expect(headers.joined().allSatisfy { $0.frame.height == height && $0.pin == pin }, "\(headers)")
    }

    @Test("The first item of a list is no header, and stays in its place next to one")
    func firstItem() throws {
        let form = #"{"list": {"headerMode": "firstItemInSection"}}"#
        let expansion = try LayoutChoice(parsing: Array(form.utf8)).expanded(at: 0)
        #expect(!expansion.hasHeader && expansion.with(.removed) == expansion)
        let shown = expansion.with(.shown(height: nil, isPinned: nil))
        guard case .list(let list) = shown.layout.section.content else { throw CancellationError() }
        #expect(shown.hasHeader && list.headerMode == .firstItemInSection)
        #expect(try headers(form, with: .shown(height: nil, isPinned: nil)).map(\.count) == [1])
    }
}
