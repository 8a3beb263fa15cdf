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

    /// Returns a form of any kind that can have a fixed height.
    private func anyForm(_ random: inout SeededRandom) -> String {
        guard Int.random(in: 0...2, using: &random) == 0 else { return form(&random) }
        let heights = [#"{"absolute": 30}"#, #"{"absolute": 120}"#, #"{"fractionalWidth": 0.2}"#, #"{"fractionalHeight": 0.125}"#]
        return #"{"list": {"rowHeight": \#(heights[Int.random(in: 0...3, using: &random)])}}"#
    }

    private static let conditions = [
        #"{"minWidth": 700}"#, #"{"horizontalSizeClass": "regular"}"#, #"{"maxHeight": 1000}"#, #"{"minTextSize": "xLarge"}"#,
        #"{"maxTextSize": "accessibilityLarge", "minWidth": 300}"#, #"{"minTextSize": "accessibilityExtraLarge"}"#,
        #"{"horizontalSizeClass": "compact", "maxTextSize": "xxxLarge"}"#, #"{"verticalSizeClass": "regular", "maxWidth": 800}"#,
    ]

    /// Returns a choice with up to three variants and an alternate, of short forms only.
    private func choice(_ random: inout SeededRandom) -> String {
        let own = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            let condition = Self.conditions[Int.random(in: Self.conditions.indices, using: &random)]
            return #"{"when": \#(condition), "layout": \#(anyForm(&random))}"#
        }
        let alternate = anyForm(&random)
        return String(anyForm(&random).dropLast())
            + #", "variants": [\#(own.joined(separator: ", "))], "alternates": {"a": "active", "b": {"layout": \#(alternate)}}}"#
    }

    private static let screens = [LayoutEnvironment.SizeClass.compact, .regular].flatMap { sizeClass in
        TextSize.allCases.flatMap { textSize in
            ([(820, 1180), (390, 844)] as [(Magnitude, Magnitude)]).map { width, height in
                LayoutEnvironment(width: width, height: height, horizontalSizeClass: sizeClass, textSize: textSize)
            }
        }
    }

    /// Checks that each cell of a layout is as high as its content, and that gaps remain.
    private func checkHeights(
        _ layout: LayoutDescriptor, _ measured: [MeasuredSize], on screen: LayoutEnvironment, _ text: String
    ) throws {
        let content = SectionContent(layout: layout.section, itemCount: measured.count, measurements: measured)
        let section = try SolvedPage(solving: [content], in: screen).sections[0]
        #expect(section.frames.map(\.height) == measured.map { $0.height?.value }, "\(text)")
        #expect(section.warnings == [], "\(text)")
        #expect(layout.needs == [], "\(text)")
        for (a, b) in zip(section.frames, section.frames.dropFirst()) where a.x == b.x {
            #expect(b.y - a.maxY >= layout.section.interGroupSpacing.value - 1e-6 || section.scroller != nil, "\(text)")
        }
    }

    @Test("Every cell is as high as its content, also in variants and alternates, and gaps remain", arguments: 0..<30 as Range<UInt64>)
    func noFixedHeight(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<4 {
            let text = choice(&random)
            let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0)
            let alternate = try #require(expansion.alternates.first?.layout)
            let measured = (0..<24).map { _ in MeasuredSize(height: Magnitude(Double(Int.random(in: 30...500, using: &random)))) }
            for screen in Self.screens {
                if screen.textSize >= .accessibilityMedium { try checkHeights(expansion.layout(in: screen), measured, on: screen, text) }
                // An alternate has one layout for all text sizes.
                try checkHeights(alternate, measured, on: screen, text)
            }
        }
    }

    @Test(
        "A screen shows the layout of the first variant that holds, as if its form were that of the section",
        arguments: 0..<30 as Range<UInt64>)
    func variantForms(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<4 {
            let text = choice(&random)
            let choice = try LayoutChoice(parsing: Array(text.utf8))
            let expansion = choice.expanded(at: 0)
            for screen in Self.screens {
                let form = choice.variants.first { $0.condition.holds(in: screen) }?.form ?? choice.form
                #expect(expansion.layout(in: screen) == form.expanded(at: 0).layout(in: screen), "\(text) on \(screen)")
            }
        }
    }

    @Test("A part of the expansion is found in the form from which it comes", arguments: 0..<30 as Range<UInt64>)
    func locations(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let text = choice(&random)
        let choice = try LayoutChoice(parsing: Array(text.utf8))
        let expansion = choice.expanded(at: 0)
        for (index, variant) in expansion.variants.enumerated() {
            let (path, part) = choice.location(of: ["variants", "\(index)", "layout", "group"], at: 0)
            let form =
                path.first == "variants" ? choice.variants[try #require(Int(path[1]))].form.expanded(at: 0) : choice.form.expanded(at: 0)
            let layout = part.first == "variants" ? form.variants[try #require(Int(part[1]))].layout : form.layout
            #expect(layout == variant.layout && path.last == "layout" && part.last == "group", "\(text): \(path) \(part)")
        }
        let own = choice.location(of: ["group", "size"], at: 0)
        #expect(own.form == ["layout"] && own.part == ["group", "size"])
        let alternate = choice.location(of: ["alternates", "b", "layout", "group"], at: 0)
        #expect(alternate.form == ["alternates", "b", "layout"] && alternate.part == ["group"])
    }

    @Test("No variant of the form is added to a variant that it cannot affect")
    func shortVariants() throws {
        func conditions(_ condition: String, _ form: String) throws -> [Condition] {
            let text = #"{"list": {}, "variants": [{"when": \#(condition), "layout": \#(form)}]}"#
            return try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0).variants.map(\.condition)
        }
        #expect(
            try conditions(#"{"minWidth": 700}"#, #"{"grid": {}}"#)
                == [Condition(minWidth: 700, minTextSize: .accessibilityMedium), Condition(minWidth: 700)])
        #expect(try conditions(#"{"maxTextSize": "xLarge"}"#, #"{"grid": {}}"#) == [Condition(maxTextSize: .xLarge)])
        #expect(
            try conditions(#"{"minTextSize": "accessibilityLarge"}"#, #"{"grid": {}}"#) == [Condition(minTextSize: .accessibilityLarge)])
        let wide = #"{"grid": {"columns": 2, "regularColumns": 6}}"#
        #expect(
            try conditions(#"{"horizontalSizeClass": "regular"}"#, wide)
                == [
                    Condition(horizontalSizeClass: .regular, minTextSize: .accessibilityMedium), Condition(horizontalSizeClass: .regular),
                ])
        #expect(try conditions(#"{"horizontalSizeClass": "compact"}"#, wide).count == 2)
        #expect(try conditions(#"{"minWidth": 700}"#, wide).count == 4)
        #expect(try conditions(#"{"minWidth": 700}"#, #"{"preset": "photo-grid-adaptive"}"#).count == 2)
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

    @Test("As an alternate, a preset keeps its layout, except the carousel whose cells have another height for large text")
    func presets() throws {
        for preset in Preset.all {
            let text = #"{"list": {}, "alternates": {"a": {"layout": {"preset": "\#(preset.name)"}}}}"#
            let alternate = try #require(try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0).alternates.first?.layout)
            let own = preset.expanded()
            let largeText = own.variants.first { $0.condition == .largeText }?.layout
            #expect(alternate == largeText ?? own.layout, "\(preset.name)")
            #expect((alternate != own.layout) == (preset.name == "top-apps-carousel"), "\(preset.name)")
        }
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
}
