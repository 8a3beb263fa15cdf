import JSON
import Layout
import TestSupport
import Testing

@Suite("Answering what is to be solved")
struct SolveResponseTests {
    @Test("Every example gets the answer that it expects", arguments: try GoldenCase.names())
    func examples(name: String) throws {
        let document = try GoldenCase(name).document
        let answer = try JSONDocument(parsing: SolveResponse(to: document.source).json(), limits: .ownOutput)
        let expected = try #require(document.root["expected"])
        #expect(String(decoding: answer.root.canonical(), as: UTF8.self) == String(decoding: expected.canonical(), as: UTF8.self))
    }

    private func answer(_ text: String) throws -> String { String(decoding: try SolveResponse(to: Array(text.utf8)).json(), as: UTF8.self) }

    @Test("Short forms are solved as their full trees, with the variant that the screen asks for")
    func shortForms() throws {
        let screen = #""environment": {"width": 1024, "height": 1366, "scale": 2, "horizontalSizeClass": "regular"}, "itemCounts": [6]"#
        let short = try answer(#"{\#(screen), "layouts": [{"preset": "photo-grid-adaptive"}]}"#)
        let six = try answer(#"{\#(screen), "layouts": [{"preset": "photo-grid-by-section", "columns": 6}]}"#)
        #expect(short == six)
        #expect(short.contains(#""slotsPerGroup":6"#))
    }

    @Test("An item that is new carries the badge that is for new ones")
    func newItems() throws {
        let size = #""size": {"width": {"absolute": 9}, "height": {"absolute": 9}}"#
        let badge = #""supplementaryItems": [{"elementKind": "badge", \#(size), "when": "new"}]"#
        let group = #"{"kind": "vertical", \#(size), "subitems": [{"kind": "item", \#(size), \#(badge)}]}"#
        let page = #"{\#(Self.screen), "itemCounts": [3], "layouts": [{"group": \#(group)}]"#
        #expect(try !answer(page + "}").contains("badge"))
        #expect(try answer(page + #", "newItems": [[false, true]]}"#).contains(#""supplementaryItems":[{"item":1,"elementKind":"badge""#))
    }

    @Test("A member that is not known is refused with what was probably meant")
    func unknownMember() throws {
        let text = try answer(#"{\#(Self.screen), "itemCounts": [1], "layouts": [{"list": {}}], "measurments": []}"#)
        #expect(text.contains("UNKNOWN_KEY") && text.contains("measurements"), "\(text)")
    }

    @Test(
        "What cannot be solved is told with a code and a place",
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
        let document = try JSONDocument(parsing: try answer(text))
        #expect(document.root["error"]?["code"]?.string == code)
        #expect(document.root["error"]?["pointer"]?.string == pointer)
        #expect(document.root["error"]?["message"]?.string?.isEmpty == false)
    }

    private static let screen = #""environment": {"width": 390, "height": 844}"#
    private static let hollow =
        #""group": {"kind": "horizontal", "size": {"width": {"absolute": 9}, "height": {"absolute": 9}}, "subitems": "#
        + #"[{"kind": "item", "size": {"width": {"absolute": 0}, "height": {"absolute": 9}}}]}"#
}
