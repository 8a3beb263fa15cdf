import JSON
import Layout
import TestSupport
import Testing

@Suite("The response to a solve request")
struct SolveResponseTests {
    @Test("Every example gets its expected response", arguments: try GoldenCase.names())
    func examples(name: String) throws {
        let document = try GoldenCase(name).document
        let response = try JSONDocument(parsing: SolveResponse(to: document.source).json(), limits: .ownOutput)
        let expected = try #require(document.root["expected"])
        #expect(String(decoding: response.root.canonical(), as: UTF8.self) == String(decoding: expected.canonical(), as: UTF8.self))
    }

    private func response(_ text: String) throws -> String {
        String(decoding: try SolveResponse(to: Array(text.utf8)).json(), as: UTF8.self)
    }

    @Test("A short form is solved as its full tree, in the variant that matches the screen")
    func shortForms() throws {
        let screen = #""environment": {"width": 1024, "height": 1366, "scale": 2, "horizontalSizeClass": "regular"}, "itemCounts": [6]"#
        let short = try response(#"{\#(screen), "layouts": [{"preset": "photo-grid-adaptive"}]}"#)
        let six = try response(#"{\#(screen), "layouts": [{"preset": "photo-grid-by-section", "columns": 6}]}"#)
        #expect(short == six)
        #expect(short.contains(#""slotsPerGroup":6"#))
    }

    @Test("A new item has the badge for new items, and other items do not")
    func newItems() throws {
        let size = #""size": {"width": {"absolute": 9}, "height": {"absolute": 9}}"#
        let badge = #""supplementaryItems": [{"elementKind": "badge", \#(size), "when": "new"}]"#
        let group = #"{"kind": "vertical", \#(size), "subitems": [{"kind": "item", \#(size), \#(badge)}]}"#
        let page = #"{\#(Self.screen), "itemCounts": [3], "layouts": [{"group": \#(group)}]"#
        #expect(try !response(page + "}").contains("badge"))
        #expect(try response(page + #", "newItems": [[false, true]]}"#).contains(#""supplementaryItems":[{"item":1,"elementKind":"badge""#))
    }

    @Test("Measurements of a section can include its header and its footer")
    func measuredHeader() throws {
        let size = #""size": {"width": {"fractionalWidth": 1}, "height": {"estimated": 40}}"#
        let header = #""boundarySupplementaryItems": [{"elementKind": "header", "alignment": "top", \#(size)}]"#
        let page = #"{\#(Self.screen), "itemCounts": [1], "layouts": [{"list": {}, \#(header)}]"#
        let items = try response(page + #", "measurements": [[{"height": 50}]]}"#)
        #expect(items.contains(#""end":90"#))
        let both = try response(page + #", "measurements": [{"header": {"height": 64}, "items": [{"height": 50}]}]}"#)
        #expect(both.contains(#""end":114"#))
        #expect(try response(page + #", "measurements": [{"headr": {"height": 64}}]}"#).contains("UNKNOWN_KEY"))
    }

    @Test("An unknown key is rejected with a suggestion")
    func unknownMember() throws {
        let text = try response(#"{\#(Self.screen), "itemCounts": [1], "layouts": [{"list": {}}], "measurments": []}"#)
        #expect(text.contains("UNKNOWN_KEY") && text.contains("measurements"), "\(text)")
    }

    @Test(
        "An invalid request gets an error with a code and a pointer",
        arguments: [
            ("", "UNEXPECTED_END", ""), ("{}", "MISSING_KEY", ""),
            (#"{\#(screen), "itemCounts": [-1], "layouts": [{"list": {}}]}"#, "OUT_OF_RANGE", "/itemCounts/0"),
            (#"{\#(screen), "itemCounts": [100001], "layouts": [{"list": {}}]}"#, "OUT_OF_RANGE", "/itemCounts/0"),
            (#"{\#(screen), "itemCounts": [1], "layouts": []}"#, "INVALID_COUNT", "/layouts"),
            (
                #"{\#(screen), "itemCounts": [1], "layouts": [{"list": {"rowHeight": {"absolut": 1}}}]}"#, "MISSING_KEY",
                "/layouts/0/list/rowHeight"
            ),
            (#"{\#(screen), "itemCounts": [1, 1], "layouts": [{"list": {}}, {\#(hollow)}]}"#, "ZERO_EXTENT", "/layouts/1/group/subitems/0"),
            (
                #"{\#(screen), "itemCounts": [1], "layouts": [{"compositional": {\#(hollow)}}]}"#, "ZERO_EXTENT",
                "/layouts/0/compositional/group/subitems/0"
            ),
            (
                #"{\#(screen), "itemCounts": [1], "layouts": [{"list": {}, "variants": [{"when": {"minWidth": 1}, "layout": {\#(hollow)}}]}]}"#,
                "ZERO_EXTENT", "/layouts/0/variants/0/layout/group/subitems/0"
            ),
            (#"{\#(screen), "itemCounts": [1], "layouts": [{"grid": {"columns": 3, "spacing": 1000}}]}"#, "NO_ROOM", "/layouts/0"),
            (
                #"{\#(screen), "itemCounts": [1], "layouts": [{"list": {}, "kind": "list", "contentInsets": {"leading": 500}}]}"#,
                "NO_ROOM",
                "/layouts/0"
            ),
            (
                #"{\#(screen), "itemCounts": [1], "layouts": [{\#(hollow), "contentInsets": {"leading": 500}}]}"#, "NO_ROOM",
                "/layouts/0"
            ),
        ])
    func refusals(text: String, code: String, pointer: String) throws {
        let document = try JSONDocument(parsing: try response(text))
        #expect(document.root["error"]?["code"]?.string == code)
        #expect(document.root["error"]?["pointer"]?.string == pointer)
        #expect(document.root["error"]?["message"]?.string?.isEmpty == false)
    }

    private static let screen = #""environment": {"width": 390, "height": 844}"#
    private static let hollow =
        #""group": {"kind": "horizontal", "size": {"width": {"absolute": 9}, "height": {"absolute": 9}}, "subitems": "#
        + #"[{"kind": "item", "size": {"width": {"absolute": 0}, "height": {"absolute": 9}}}]}"#
}
