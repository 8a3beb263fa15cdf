import JSON
import TestSupport
import Testing

@testable import Layout

@Suite("Short forms at accessibility text sizes")
struct LargeTextTests {
    private func form(_ random: inout SeededRandom) -> String {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        if Bool.random(using: &random) {
            let regular = Bool.random(using: &random) ? #", "regularColumns": \#(number(1...12))"# : ""
            return #"{"grid": {"columns": \#(number(1...8)), "aspect": [\#(number(1...9)), \#(number(1...9))], "#
                + #""spacing": \#(number(2...20))\#(regular)}}"#
        }
        return #"{"carousel": {"rows": \#(number(1...6)), "height": \#(number(20...400)), "spacing": \#(number(0...20)), "#
            + #""width": 0.\#(number(3...9)), "paging": "groupPaging"}}"#
    }

    @Test("Every cell is as high as its content, and gaps remain", arguments: 0..<30 as Range<UInt64>)
    func noFixedHeight(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<10 {
            let text = form(&random)
            let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0)
            let measured = (0..<24).map { _ in MeasuredSize(height: Magnitude(Double(Int.random(in: 30...500, using: &random)))) }
            for textSize in TextSize.allCases where textSize >= .accessibilityMedium {
                for sizeClass in [LayoutEnvironment.SizeClass.compact, .regular] {
                    let screen = LayoutEnvironment(width: 820, height: 1180, horizontalSizeClass: sizeClass, textSize: textSize)
                    let layout = expansion.layout(in: screen)
                    let content = SectionContent(layout: layout.section, itemCount: measured.count, measurements: measured)
                    let section = try SolvedPage(solving: [content], in: screen).sections[0]
                    #expect(section.frames.map(\.height) == measured.map { $0.height?.value }, "\(text)")
                    #expect(section.warnings == [], "\(text)")
                    #expect(layout.needs == [], "\(text)")
                    for (a, b) in zip(section.frames, section.frames.dropFirst()) where a.x == b.x {
                        #expect(b.y - a.maxY >= layout.section.interGroupSpacing.value - 1e-6 || section.scroller != nil, "\(text)")
                    }
                }
            }
        }
    }

    @Test(
        "The layouts equal the examples",
        arguments: [
            ("rule-large-text-grid", #"{"grid": {"columns": 3}}"#),
            ("rule-large-text-carousel", #"{"preset": "top-apps-carousel", "rows": 2}"#),
        ])
    func examples(name: String, form: String) throws {
        let golden = try GoldenCase(name)
        let layout = try LayoutChoice(parsing: Array(form.utf8)).expanded(at: 0).layout(in: golden.environment)
        #expect(try layout.section == LayoutSection(parsing: golden.layouts[0]))
    }

    @Test("Below these sizes, a short form has its usual layout", arguments: 0..<10 as Range<UInt64>)
    func usualSizes(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let expansion = try LayoutChoice(parsing: Array(form(&random).utf8)).expanded(at: 0)
        for sizeClass in [LayoutEnvironment.SizeClass.compact, .regular] {
            var screen = LayoutEnvironment(width: 390, height: 844, horizontalSizeClass: sizeClass)
            let usual = expansion.layout(in: screen)
            for textSize in TextSize.allCases where textSize < .accessibilityMedium {
                screen.textSize = textSize
                #expect(expansion.layout(in: screen) == usual)
            }
            screen.textSize = .accessibilityMedium
            #expect(expansion.layout(in: screen) != usual)
        }
    }

    @Test("The curator's own variants come first")
    func own() throws {
        let choice = try LayoutChoice(
            parsing: Array(
                #"{"grid": {}, "variants": [{"when": {"minTextSize": "accessibilityExtraLarge"}, "layout": {"list": {}}}]}"#.utf8))
        var screen = LayoutEnvironment(width: 390, height: 844, textSize: .accessibilityLarge)
        #expect(choice.expanded(at: 0).layout(in: screen).family == Family(.grid))
        screen.textSize = .accessibilityExtraLarge
        #expect(choice.expanded(at: 0).layout(in: screen).family == Family(.list))
    }

    @Test("A client of version 1.0, which reads only the size class, keeps the usual columns on wide screens")
    func firstVersion() throws {
        let grid = try LayoutChoice(parsing: Array(#"{"grid": {"columns": 2, "regularColumns": 4}}"#.utf8)).expanded(at: 0)
        let first = grid.variants.first { $0.condition.horizontalSizeClass == .regular }
        #expect(first?.layout.family == Family(.grid, columns: 4))
    }
}
