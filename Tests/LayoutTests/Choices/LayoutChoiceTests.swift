import JSON
import Layout
import Testing

@Suite("The layout choice")
struct LayoutChoiceTests {
    private func expansion(_ text: String, at index: Int = 0) throws -> Expansion {
        try LayoutChoice(parsing: Array(text.utf8)).expanded(at: index)
    }

    private func issues(in text: String) -> [String] {
        do {
            _ = try LayoutChoice(parsing: Array(text.utf8))
            return []
        } catch {
            return error.issues.map { "\($0.pointer) \($0.code.rawValue)" }
        }
    }

    private func preset(_ name: String) throws -> Expansion { try #require(Preset.named(name)).expanded() }

    @Test("A form with the values of a preset expands to the same layout")
    func likePresets() throws {
        #expect(try expansion(#"{"grid": {"columns": 3, "spacing": 5}}"#).layout == preset("photo-grid-3").layout)
        let carousel = try expansion(#"{"carousel": {"rows": 3, "width": 0.93, "paging": "groupPaging"}}"#)
        #expect(try carousel == preset("top-apps-carousel").with(.removed) && !carousel.hasHeader)
        #expect(try expansion(#"{"preset": "tree-carousel"}"#) == preset("tree-carousel"))
        #expect(try expansion(#"{"nestedGroup": "feature-pair-carousel"}"#) == preset("feature-pair-carousel"))
        #expect(try expansion(#"{"preset": "photo-grid", "columns": 3}"#) == preset("photo-grid-3"))
    }

    @Test("A grid can have another number of columns on wide screens, and has half as many for large text")
    func grid() throws {
        let grid = try expansion(#"{"grid": {"columns": 3, "regularColumns": 7, "aspect": [4, 3], "spacing": 10}}"#)
        func columns(_ sizeClass: LayoutEnvironment.SizeClass, _ textSize: TextSize) -> Int? {
            let screen = LayoutEnvironment(width: 390, height: 844, horizontalSizeClass: sizeClass, textSize: textSize)
            return grid.layout(in: screen).family?.columns
        }
        for textSize in TextSize.allCases {
            let isLarge = textSize >= .accessibilityMedium
            #expect(columns(.compact, textSize) == (isLarge ? 2 : 3))
            #expect(columns(.regular, textSize) == (isLarge ? 4 : 7))
        }
        let size = #""size":{"height":{"fractionalWidth":[1,4]},"width":{"fractionalWidth":1}}"#
        #expect(String(decoding: try grid.layout.canonicalJSON(), as: UTF8.self).contains(size))
    }

    @Test("A form has the family of its kind, and a full layout has the family that it states")
    func families() throws {
        #expect(try expansion(#"{"list": {}}"#).layout.family == Family(.list))
        #expect(try expansion(#"{"list": {}, "contentInsets": {"top": 9}}"#).layout.family == nil)
        let tree =
            #"{"kind": "custom", "size": {"width": {"absolute": 9}, "height": {"absolute": 9}}, "frames": [{"width": 1, "height": 1}]}"#
        #expect(try expansion(#"{"nestedGroup": \#(tree)}"#).layout.family == Family(.nestedGroup))
        #expect(try expansion(#"{"compositional": {"group": \#(tree)}}"#).layout.family == Family(.nestedGroup))
        #expect(try expansion(#"{"kind": "grid", "columns": 4, "group": \#(tree)}"#).layout.family == Family(.grid, columns: 4))
    }

    @Test("Variants and alternates can be added to any form, and come before those of the form")
    func beside() throws {
        let choice = try expansion(
            #"""
            {"preset": "photo-grid-adaptive", "regular": 8,
             "variants": [{"when": {"minWidth": 1200}, "layout": {"preset": "photo-grid", "columns": 12}}],
             "alternates": {"grid": "active", "column": {"layout": {"list": {"rowHeight": {"absolute": 120}}}}}}
            """#)
        #expect(choice.variants.map { $0.layout.family?.columns } == [12, 8])
        #expect(choice.active == "grid")
        #expect(choice.alternates.map { $0.layout.family } == [Family(.list)])
        var screen = LayoutEnvironment(width: 1366, height: 1024, horizontalSizeClass: .regular)
        #expect(choice.layout(in: screen).family?.columns == 12)
        screen.width = 1199
        #expect(choice.layout(in: screen).family?.columns == 8)
        screen.horizontalSizeClass = .compact
        #expect(choice.layout(in: screen).family?.columns == 3)
    }

    @Test("An expanded choice decodes to the same expansion", arguments: Preset.all)
    func writtenOut(preset: Preset) throws {
        let expansion = preset.expanded()
        #expect(try LayoutChoice(parsing: expansion.json(.pretty)).expanded(at: 0) == expansion)
    }

    @Test(
        "A form is encoded without defaults and decodes to the same form",
        arguments: [
            (#"{"list":{}}"#, #"{"list":{}}"#), (#"{"list":{"showsSeparators":true},"contentInsets":{},"effects":[]}"#, #"{"list":{}}"#),
            (#"{"kind":"list","list":{}}"#, #"{"kind":"list","list":{}}"#),
            (#"{"grid":{"columns":2,"regularColumns":4,"aspect":[8,6],"spacing":10}}"#, #"{"grid":{"aspect":[4,3],"regularColumns":4}}"#),
            (#"{"carousel":{"rows":3,"width":0.93}}"#, #"{"carousel":{"rows":3}}"#),
            (#"{"nestedGroup":"feature-pair"}"#, #"{"preset":"feature-pair"}"#),
            (#"{"preset":"photo-grid","columns":3}"#, #"{"preset":"photo-grid"}"#),
            (#"{"columns":4,"preset":"photo-grid"}"#, #"{"columns":4,"preset":"photo-grid"}"#),
            (#"{"compositional":{"list":{}}}"#, #"{"compositional":{"list":{}}}"#),
        ])
    func written(text: String, expected: String) throws {
        let form = try LayoutForm(parsing: Array(text.utf8))
        #expect(String(decoding: try form.canonicalJSON(), as: UTF8.self) == expected)
        #expect(try LayoutForm(parsing: form.json()) == form)
    }

    @Test("A random group decodes to the same form")
    func randomForms() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = RandomLayouts(seed: seed)
            let full = try LayoutForm(parsing: random.section().json())
            #expect(try LayoutForm(parsing: full.json()) == full, "seed \(seed)")
            guard case .group(let tree) = random.section().content else { continue }
            #expect(try LayoutForm(parsing: LayoutForm.nestedGroup(tree).json()) == .nestedGroup(tree), "seed \(seed)")
        }
    }

    @Test("The slots of a choice are those of all its layouts, in cell order")
    func slots() throws {
        func slots(_ text: String) throws -> [Name] { try LayoutChoice(parsing: Array(text.utf8)).slots }
        #expect(try slots(#"{"nestedGroup": "feature-pair"}"#) == ["large", "small"])
        #expect(try slots(#"{"list": {}}"#) == [])
        #expect(
            try slots(#"{"list": {}, "alternates": {"a": "active", "b": {"layout": {"preset": "feature-pair"}}}}"#) == ["large", "small"])
    }

    @Test(
        "Issues are reported with their pointers",
        arguments: [
            ("{}", [" MISSING_KEY"]), (#"{"gird": {}}"#, [" MISSING_KEY", "/gird UNKNOWN_KEY"]),
            (#"{"preset": "tree-carousl"}"#, ["/preset INVALID_CHOICE"]),
            (#"{"preset": "photo-grid", "columns": 99, "rows": 2}"#, ["/columns OUT_OF_RANGE", "/rows UNKNOWN_KEY"]),
            (#"{"nestedGroup": "photo-grid-3"}"#, ["/nestedGroup INVALID_CHOICE"]), (#"{"list": {}, "grid": {}}"#, [" INVALID_CHOICE"]),
            (
                #"{"grid": {"columns": 0, "spacing": 1, "aspect": [0, 3]}}"#,
                ["/grid/columns OUT_OF_RANGE", "/grid/spacing INSET_RANGE", "/grid/aspect OUT_OF_RANGE"]
            ),
            (#"{"carousel": {"paging": "none", "width": 0}}"#, ["/carousel/paging INVALID_CHOICE", "/carousel/width OUT_OF_RANGE"]),
            (#"{"list": {}, "columns": 2}"#, [" MISSING_KEY"]), (#"{"list": {}, "fallback": "x"}"#, ["/fallback INVALID_ID"]),
            (#"{"list": {}, "requires": ["group.costum"]}"#, ["/requires/0 INVALID_CHOICE"]),
            (#"{"list": {}, "fallback": "00112233445566778899aabbccddeeff"}"#, ["/fallback BROKEN_FALLBACK"]),
            (#"{"list": {}, "alternates": {"a": "active", "b": "active"}}"#, ["/alternates/b INVALID_CHOICE"]),
            (
                #"{"list": {}, "variants": [{"when": {"minWidth": 2, "maxWidth": 1}}, {"when": {}}, {"when": {"minTxtSize": "large"}}]}"#,
                [
                    "/variants/0 MISSING_KEY", "/variants/0/when/minWidth OUT_OF_RANGE", "/variants/1 MISSING_KEY",
                    "/variants/1/when MISSING_KEY", "/variants/2 MISSING_KEY", "/variants/2/when/minTxtSize UNKNOWN_KEY",
                ]
            ),
        ])
    func issues(text: String, expected: [String]) {
        #expect(issues(in: text) == expected)
    }
}
