import JSON
import Layout
import ScreenFiles
import Testing

@Suite("The layout lint")
struct LayoutLintTests {
    private let matrix: ScreenMatrix

    init() throws { matrix = try ScreenMatrix.builtIn() }

    private func findings(_ text: String, itemCount: Int = 20) throws -> [Finding] {
        let expansion = try LayoutChoice(parsing: Array(text.utf8)).expanded(at: 0)
        return LayoutLint(matrix, itemCount: itemCount).findings(in: expansion)
    }

    private func brief(_ findings: [Finding]) -> [String] { findings.map { "\($0.code.rawValue) \($0.pointer)" } }

    @Test("The screen matrix has every supported width, and each screen has a unique name")
    func screens() {
        let widths = matrix.screens.map(\.environment.width.value)
        #expect(Set(widths) == [320, 375, 390, 430, 744, 820, 844, 1024, 1366])
        #expect(Set(matrix.screens.map(\.name)).count == matrix.screens.count)
        #expect(matrix["ipad-landscape"]?.environment.width == 1366)
        #expect(matrix["fridge"] == nil)
    }

    @Test(
        "The lint reports the known findings of presets, on every screen",
        arguments: [
            ("image-carousel", ["PAGE_DRIFT /orthogonalScrollingBehavior"]), ("tri-column-carousel", ["SLACK /group"]),
            ("square-family-carousel", ["EMPTY_TAIL /group"]), ("photo-grid-3", []),
            ("photo-grid-adaptive", ["EMPTY_TAIL /variants/0/layout/group"]), ("tree-carousel", []),
            ("top-apps-carousel", []), ("nested-row-paging", ["FIXED_TEXT_ROW /group/size/height"]), ("emoji-grid", []),
            ("feature-pair", []), ("zoom-carousel", []),
        ])
    func presets(name: String, expected: [String]) throws {
        let findings = try findings(#"{"preset": "\#(name)"}"#)
        #expect(brief(findings).filter { !$0.hasPrefix("FRACTION") } == expected)
        for finding in findings { #expect(finding.isOnEveryScreen) }
    }

    @Test("No preset has an error", arguments: Preset.all)
    func noErrors(preset: Preset) {
        for count in [0, 1, 20] {
            let findings = LayoutLint(matrix, itemCount: count).findings(in: preset.expanded())
            #expect(brief(findings.filter { $0.code.severity == .error }) == [])
        }
    }

    private static func row(_ children: String, _ more: String = "", width: String = #"{"fractionalWidth": 1}"#) -> String {
        #"{"kind": "horizontal", "size": {"width": \#(width), "height": {"absolute": 160}}, "subitems": [\#(children)]\#(more)}"#
    }

    private static func cell(_ width: String, _ height: String = #"{"fractionalHeight": 1}"#, more: String = "") -> String {
        #"{"kind": "item", "size": {"width": \#(width), "height": \#(height)}\#(more)}"#
    }

    @Test(
        "Each finding is reported at its pointer",
        arguments: [
            (
                row(cell(#"{"fractionalWidth": 0.7}"#) + "," + cell(#"{"fractionalWidth": 0.4}"#)),
                ["DROPPED_SUBITEM /group", "SLACK /group"]
            ),
            (row(row(cell(#"{"fractionalWidth": 1.5}"#))), ["CLAMPED /group/subitems/0"]),
            (row(cell(#"{"fractionalWidth": 0.6}"#), #", "fill": {"times": 2}"#), ["OVERFLOW /group"]),
            (row(row(cell(#"{"fractionalWidth": 1}"#, #"{"absolute": 161}"#))), ["CROSS_OVERFLOW /group/subitems/0"]),
            (row(cell(#"{"absolute": 0}"#)), ["ZERO_EXTENT /group/subitems/0"]),
            (row(cell(#"{"absolute": 0.5}"#)), ["TOO_MANY_SLOTS /group/subitems/0"]),
            (row(cell(#"{"fractionalWidth": 1}"#), #", "contentInsets": {"top": 160}"#), ["NO_ROOM /group"]),
            (row(cell(#"{"fractionalWidth": 0.4}"#), #", "interItemSpacing": {"flexible": 1}"#), []),
        ])
    func each(group: String, expected: [String]) throws {
        #expect(brief(try findings(#"{"group": \#(group)}"#)) == expected)
    }

    @Test(
        "The lint reports elements that are wider than the screen, have no height or leave no room",
        arguments: [
            (#""group": \#(row(cell(#"{"fractionalWidth": 1}"#), width: #"{"absolute": 1500}"#))"#, ["CROSS_OVERFLOW /group"]),
            (
                #""list": {}, "boundarySupplementaryItems": [{"elementKind": "header", "alignment": "top", "#
                    + #""size": {"width": {"fractionalWidth": 2}, "height": {"absolute": 40}}}]"#,
                ["CROSS_OVERFLOW /boundarySupplementaryItems/0"]
            ),
            (
                #""list": {"rowHeight": {"absolute": 0}}"#,
                ["ZERO_EXTENT /list/rowHeight", "ZERO_EXTENT /variants/0/layout/list/rowHeight"]
            ),
            (#""list": {"rowHeight": {"absolute": 0}}, "interGroupSpacing": 8"#, []),
            (
                #""group": {"kind": "custom", "size": {"width": {"fractionalWidth": 1}, "height": {"absolute": 50}}, "#
                    + #""frames": [{"x": -500, "y": 0, "width": 100, "height": 50}]}"#,
                ["OVERFLOW /group"]
            ),
            (
                #""group": \#(row(cell(#"{"fractionalWidth": 1}"#, more: #", "contentInsets": {"top": 160}"#)))"#,
                ["NO_ROOM /group/subitems/0"]
            ),
        ])
    func misfits(layout: String, expected: [String]) throws {
        #expect(brief(try findings("{\(layout)}")) == expected)
    }

    @Test("A layout that cannot be solved is reported even without items")
    func noItems() throws {
        #expect(
            brief(try findings(#"{"group": \#(Self.row(Self.cell(#"{"absolute": 0}"#)))}"#, itemCount: 0)) == [
                "ZERO_EXTENT /group/subitems/0"
            ])
    }

    @Test("A fraction of an estimate that an equal share replaces is not reported")
    func fractionOfEqualShare() throws {
        let column =
            #"{"kind": "vertical", "size": {"width": {"estimated": 50}, "height": {"fractionalHeight": 1}}, "#
            + #""subitems": [\#(Self.cell(#"{"fractionalWidth": 1}"#))]}"#
        #expect(brief(try findings(#"{"group": \#(Self.row(column, #", "fill": {"equal": 2}"#))}"#)) == [])
    }

    @Test("A fraction of an estimate is found without solving for a screen")
    func fractionOfEstimate() throws {
        let inner =
            #"{"kind": "vertical", "size": {"width": {"fractionalWidth": 1}, "height": {"estimated": 60}}, "#
            + #""subitems": [\#(Self.cell(#"{"fractionalWidth": 1}"#))]}"#
        let found = try findings(#"{"group": \#(inner)}"#).filter { $0.code == .fractionOfEstimate }
        #expect(brief(found) == ["FRACTION_OF_ESTIMATE /group/subitems/0/size/height"])
    }

    @Test("A finding on some screens names those screens and the visible effect")
    func someScreens() throws {
        let found = try findings(#"{"group": \#(Self.row(Self.cell(#"{"absolute": 400}"#)))}"#)
        let clamped = try #require(found.first { $0.code == .clamped })
        #expect(clamped.screens == ["iphone-se", "iphone-mini", "iphone", "iphone-large-text"])
        #expect(!clamped.isOnEveryScreen)
        #expect(clamped.sentence == "The first subitem is reduced to the available room, 320 points wide.")
        let drift = try #require(try findings(#"{"preset": "image-carousel"}"#).first)
        #expect(drift.sentence.hasPrefix("A swipe moves 320 points, but the groups repeat every 310,"))
    }

    @Test("Variants are checked on the screens that match their condition, alternates on all screens")
    func variants() throws {
        let found = try findings(
            #"""
            {"list": {}, "variants": [{"when": {"minWidth": 1000}, "layout": {"preset": "image-carousel"}}],
             "alternates": {"cards": {"layout": {"preset": "tri-column-carousel"}}}}
            """#)
        #expect(
            brief(found) == ["PAGE_DRIFT /variants/0/layout/orthogonalScrollingBehavior", "SLACK /alternates/cards/layout/group"])
        #expect(found.map(\.screens.count) == [2, 11])
    }

    @Test(
        "An empty last group is reported depending on the number of items", arguments: [(18, false), (19, true), (22, true), (23, false)])
    func emptyTail(itemCount: Int, isEmpty: Bool) throws {
        let found = try findings(#"{"preset": "square-family-carousel"}"#, itemCount: itemCount)
        #expect(found.contains { $0.code == .emptyTail } == isEmpty)
    }

    @Test(
        "A row of fewer than 120 points that large text does not change is reported once, at its height",
        arguments: [
            (rows(96), ["FIXED_TEXT_ROW /list/rowHeight"]), (rows(120), []), (#"{"list": {}}"#, []),
            (#"{"list": {"rowHeight": {"fractionalWidth": 0.2}}}"#, []),
            (rows(96, #", "variants": [{"when": {"minTextSize": "xLarge"}, "layout": {"list": {}}}]"#), []),
            (
                rows(96, #", "variants": [{"when": {"maxTextSize": "xLarge"}, "layout": {"list": {}}}]"#),
                ["FIXED_TEXT_ROW /list/rowHeight"]
            ),
            (
                #"{"list": {}, "variants": [{"when": {"minWidth": 700}, "layout": \#(rows(96))}]}"#,
                ["FIXED_TEXT_ROW /variants/0/layout/list/rowHeight"]
            ),
            (#"{"grid": {}, "alternates": {"a": {"layout": \#(rows(96))}}}"#, ["FIXED_TEXT_ROW /alternates/a/layout/list/rowHeight"]),
            // A short form has rows as high as their content at large text sizes, also in variants and alternates.
            (#"{"list": {"rowHeight": {"absolute": 96}}}"#, []),
            (
                #"""
                {"list": {}, "variants": [{"when": {"minWidth": 700}, "layout": {"carousel": {"rows": 3}}}],
                 "alternates": {"a": {"layout": {"list": {"rowHeight": {"absolute": 96}}}}}}
                """#, []
            ),
            (#"{"carousel": {"rows": 3}}"#, []), (#"{"preset": "plain-rows"}"#, ["FIXED_TEXT_ROW /group/size/height"]),
            (#"{"preset": "emoji-column"}"#, []), (#"{"preset": "two-column-grid"}"#, []),
            (
                #"{"group": \#(column(#"{"absolute": 210}"#, #"{"fractionalHeight": 0.5}"#, #", "fill": {"equal": 3}"#))}"#,
                ["FIXED_TEXT_ROW /group/size/height"]
            ),
            (#"{"group": \#(column(#"{"absolute": 240}"#, #"{"fractionalHeight": 0.5}"#))}"#, []),
            (#"{"group": \#(column(#"{"absolute": 200}"#, #"{"fractionalHeight": 0.5}"#))}"#, ["FIXED_TEXT_ROW /group/size/height"]),
            (
                #"{"group": \#(column(#"{"estimated": 200}"#, #"{"absolute": 60}"#))}"#,
                ["FIXED_TEXT_ROW /group/subitems/0/size/height"]
            ),
            (#"{"group": \#(column(#"{"estimated": 200}"#, #"{"estimated": 60}"#))}"#, []),
        ])
    func textRows(layout: String, expected: [String]) throws {
        let found = try findings(layout).filter { $0.code == .fixedTextRow }
        #expect(brief(found) == expected)
        for finding in found { #expect(finding.code.severity == .warning) }
    }

    /// Returns a full layout of rows, which has no variants of its own.
    private static func rows(_ height: Int, _ more: String = "") -> String {
        #"{"list": {"rowHeight": {"absolute": \#(height)}}, "contentInsets": {"top": 8}\#(more)}"#
    }

    @Test(
        "Another layout of a form, which an alternate cannot have, is reported on its screens",
        arguments: [
            (#"{"grid": {"columns": 2, "regularColumns": 4}}"#, true), (#"{"preset": "photo-grid-adaptive"}"#, true),
            (#"{"grid": {"columns": 2, "regularColumns": 2}}"#, false), (#"{"grid": {"columns": 2}}"#, false),
            (#"{"preset": "photo-grid-adaptive", "compact": 4, "regular": 4}"#, false),
            (#"{"preset": "photo-grid-adaptive", "compact": 4, "regular": 5}"#, true),
            (#"{"carousel": {}}"#, false), (#"{"list": {"rowHeight": {"absolute": 96}}}"#, false),
        ])
    func unusedVariants(form: String, isReported: Bool) throws {
        let found = try findings(#"{"list": {}, "alternates": {"a": {"layout": \#(form)}}}"#).filter { $0.code == .unusedVariant }
        #expect(brief(found) == (isReported ? ["UNUSED_VARIANT /alternates/a/layout"] : []))
        let wide = matrix.screens.filter { $0.environment.horizontalSizeClass == .regular }.map(\.name)
        for finding in found { #expect(finding.screens == wide && !finding.isOnEveryScreen && finding.code.severity == .warning) }
        #expect(try findings(form).allSatisfy { $0.code != .unusedVariant })
    }

    private static func column(_ height: String, _ cell: String, _ more: String = "") -> String {
        let child = #"{"kind": "item", "size": {"width": {"fractionalWidth": 1}, "height": \#(cell)}}"#
        return #"{"kind": "vertical", "size": {"width": {"fractionalWidth": 1}, "height": \#(height)}, "subitems": [\#(child)]\#(more)}"#
    }

    @Test("The lint completes for random layouts")
    func randomLayouts() {
        for seed in 0..<60 as Range<UInt64> {
            var random = RandomLayouts(seed: seed)
            let choice = LayoutChoice(.full(LayoutDescriptor(random.section())))
            for finding in LayoutLint(matrix).findings(in: choice.expanded(at: 0)) {
                #expect(!finding.screens.isEmpty && !finding.sentence.isEmpty, "seed \(seed)")
            }
        }
    }

    @Test("A broken chain of fallbacks is an error of its layout table")
    func brokenFallback() throws {
        let id = try #require(LayoutID(String(repeating: "a", count: 32)))
        let zoom = try #require(Preset.named("zoom-carousel")).expanded().layout
        let found = LayoutTable([id: .known(zoom)]).findings(at: .root.appending("layouts"))
        #expect(brief(found) == ["BROKEN_FALLBACK /layouts/\(id.text)"])
        #expect(found.first?.sentence.contains("effect.centerScale") == true)
    }
}
