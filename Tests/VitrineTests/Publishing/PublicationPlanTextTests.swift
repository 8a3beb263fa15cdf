import Arguments
import Feeds
import JSON
import Layout
import ScreenFiles
import Testing
import Values

@testable import CLI

@Suite("The plan of a publication")
struct PublicationPlanTextTests {
    private static let id = "0000000000000000000000000000000"

    private func document(layout: String, members: String = "") throws -> FeedDocument {
        let text = """
            {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                {"key": "hero", "title": {"en": "Heroes"}, "layout": \(layout), "cell": "row", "rule": {"kind": "topApp"}\(members)}]}
            """
        return try FeedDocument(parsing: Array(text.utf8), limits: .feed)
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

    private func plan() throws -> PublicationPlan {
        let (list, grid) = (#"{"carousel": {"rows": 2}}"#, #"{"grid": {"columns": 3}}"#)
        let (before, after) = (try page(1, layout: list, items: ["a", "b", "c"]), try page(2, layout: grid, items: ["c", "a", "x"]))
        func publication(_ id: Int, _ layer: String, from: String) throws -> Publication {
            let text =
                #"{"id": \#(id), "feed": "today", "layer": "\#(layer)", "revision": 7, "from": "\#(from)", "until": "2026-12-25T01:00:00Z"}"#
            return try #require(try JSONDocument(parsing: text).root.decodeLeniently(Publication.self))
        }
        let finding = try JSONDocument(
            parsing: """
                {"severity": "warning", "code": "UNAVAILABLE_PIN", "section": "hero", "pointer": "/sections/0/pins/0/item",
                 "message": "topapp:a is not available in sa", "help": "Others move up there."}
                """)
        let start = try #require(Timestamp("2026-12-24T18:00:00Z"))
        let schedule = Schedule([
            try publication(3, "takeover", from: "2026-12-24T17:00:00Z"), try publication(4, "base", from: "2026-12-24T18:00:00Z"),
        ])
        let requested = try document(
            layout: grid, members: #", "target": {"platforms": ["ios"]}, "pins": [{"slot": 0, "item": "topapp:a"}]"#)
        var plan = PublicationPlan(
            of: (2, requested), on: .base, from: start, until: nil, after: (1, try document(layout: list)), in: schedule, start: start,
            archivedAt: nil)
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"]).environment
        plan.compare("us", from: before, to: after, on: screen)
        plan.compare("sa", from: before, to: before, on: screen)
        plan.compare("gb", from: before, to: after, on: screen)
        plan.notCompared = ["de"]
        plan.findings = [try #require(finding.root.decodeLeniently(ReviewFinding.self))]
        return plan
    }

    @Test("The text shows all changes of a publication before it is confirmed", arguments: [40, 80, 200])
    func text(width: Int) throws {
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"])
        let text = try plan().text(in: .named("Europe/Stockholm", [:]), on: screen.environment, width: width, isColored: false)
        #expect(text.split(separator: "\n").allSatisfy { $0.columns <= width })
        try AdminGolden.expect(text, is: "look-\(width).txt", masks: false)
        let colored = try plan().text(in: .utc, on: screen.environment, width: width, isColored: true)
        #expect(colored.contains("\u{1B}[32m") && !text.contains("\u{1B}"))
    }

    @Test("A command reads the plan as the server wrote it, with the exit code of a conflict")
    func programs() throws {
        let plan = try plan()
        let written = try plan.json(.pretty)
        try AdminGolden.expect(String(decoding: written, as: UTF8.self) + "\n", is: "look.json", masks: false)
        let read = try #require(try JSONDocument(parsing: written).root.decodeLeniently(PublicationPlan.self))
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"])
        func text(_ plan: PublicationPlan) -> String { plan.text(in: .utc, on: screen.environment, width: 80, isColored: false) }
        #expect(text(read) == text(plan))
        #expect(read.exitCode == .conflict && read.views.map(\.storefronts) == [["us", "gb"], ["sa"]])
    }

    @Test("A plan changes nothing if the same revision is on the base already")
    func nothing() throws {
        func plan(_ members: String) throws -> PublicationPlan {
            let text = #"{"feed": "today", "comparisons": [], "layouts": [], "findings": [], "toRevision": 2, \#(members)}"#
            return try #require(try JSONDocument(parsing: text).root.decodeLeniently(PublicationPlan.self))
        }
        let publish = PublicationPlanRequest(.publish(.init()))
        let rollback = PublicationPlanRequest(.rollback(RollbackRequest(revision: nil, timeZone: "UTC")))
        let same = try plan(#""fromRevision": 2, "layer": "base""#)
        #expect(publish.changesNothing(same) && rollback.changesNothing(same))
        for members in [#""fromRevision": 1, "layer": "base""#, #""layer": "base""#, #""fromRevision": 2, "layer": "takeover""#] {
            #expect(try !publish.changesNothing(plan(members)), "\(members)")
        }
        #expect(try !publish.changesNothing(plan(#""fromRevision": 2, "layer": "base", "from": "2031-01-01T00:00:00Z""#)))
    }
}
