import Arguments
import Feeds
import JSON
import Layout
import ScreenFiles
import Testing
import Values

@testable import CLI

@Suite("The look at a publication")
struct ChangeSummaryTests {
    private static let id = "0000000000000000000000000000000"

    private func revision(_ number: Int, layout: String, members: String = "") throws -> LoadedRevision {
        let text = """
            {"revision": \(number), "line": "main", "hash": "h\(number)", "savedAt": "2026-11-01T00:00:00Z", "document":
              {"feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "hero", "title": {"en": "Heroes"}, "layout": \(layout), "cell": "row", "rule": {"kind": "topApp"}\(members)}]}}
            """
        return try #require(LoadedRevision(try JSONDocument(parsing: text).root))
    }

    private func page(_ revision: Int, layout: String, items: [String]) throws -> ClientPage {
        let expansion = try LayoutChoice(parsing: Array(layout.utf8)).expanded(at: 0).layout
        let placements = items.map { #"{"placement": "p\#($0)", "item": "\#($0)"}"# }.joined(separator: ",")
        let texts = items.map { #""\#($0)": {"title": "The \#($0)"}"# }.joined(separator: ",")
        return ClientPage(
            try JSONDocument(
                parsing: """
                    {"feed": "today", "storefront": "us", "locale": "en", "title": "Today", "revision": \(revision),
                     "layouts": {"\(Self.id)\(revision)": \(String(decoding: try expansion.json(), as: UTF8.self))},
                     "sections": [{"id": "today/hero", "title": "Heroes", "layout": "\(Self.id)\(revision)", "items": [\(placements)]}],
                     "items": {\(texts)}}
                    """))
    }

    private func look() throws -> ChangeSummary {
        let (list, grid) = (#"{"carousel": {"rows": 2}}"#, #"{"grid": {"columns": 3}}"#)
        let (before, after) = (try page(1, layout: list, items: ["a", "b", "c"]), try page(2, layout: grid, items: ["c", "a", "x"]))
        func publication(_ id: Int, _ layer: String) throws -> Publication {
            let text =
                #"{"id": \#(id), "feed": "today", "layer": "\#(layer)", "revision": 7, "from": "2026-12-24T17:00:00Z", "until": "2026-12-25T01:00:00Z"}"#
            return try #require(Publication(try JSONDocument(parsing: text).root))
        }
        let finding = try JSONDocument(
            parsing: """
                {"severity": "warning", "code": "INVISIBLE_PIN", "section": "hero", "pointer": "/sections/0/pins/0/item",
                 "message": "topapp:a is not to be seen in sa", "help": "Others move up there."}
                """)
        return ChangeSummary(
            feed: try #require(FeedKey("today")), former: try revision(1, layout: list),
            revision: try revision(
                2, layout: grid, members: #", "target": {"platforms": ["ios"]}, "pins": [{"slot": 0, "item": "topapp:a"}]"#),
            layer: .base, from: Timestamp("2026-12-24T18:00:00Z"), until: nil, takeover: try publication(3, "takeover"),
            obstacles: [try publication(4, "base")],
            seen: [
                .init(storefronts: ["us", "gb"], difference: PageComparison(from: before, to: after), before: before, after: after),
                .init(storefronts: ["sa"], difference: PageComparison(from: before, to: before), before: before, after: before),
            ],
            findings: [try #require(ReviewFinding(finding.root))])
    }

    @Test("tells all that is to be known before one agrees", arguments: [40, 80, 200])
    func text(width: Int) throws {
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"])
        let text = try look().text(in: .named("Europe/Stockholm", [:]), on: screen.environment, width: width, isColored: false)
        #expect(text.split(separator: "\n").allSatisfy { $0.columns <= width })
        try CuratingGolden.expect(text, is: "look-\(width).txt", masks: false)
        let colored = try look().text(in: .utc, on: screen.environment, width: width, isColored: true)
        #expect(colored.contains("\u{1B}[32m") && !text.contains("\u{1B}"))
    }

    @Test("is told to programs as well, with what trying it in earnest would end with")
    func programs() throws {
        let look = try look()
        try CuratingGolden.expect(String(decoding: try look.json(.pretty), as: UTF8.self) + "\n", is: "look.json", masks: false)
        #expect(look.exitCode == .conflict && !look.changesNothing)
    }
}
