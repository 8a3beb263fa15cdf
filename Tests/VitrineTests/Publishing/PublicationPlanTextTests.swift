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
    private static let storefronts = ["de", "gb", "sa", "us"]

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

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    /// Returns a publication that lasts until the same time in each of its storefronts.
    private func publication(
        _ id: Int, _ layer: Publication.Layer, revision: Int, in storefronts: [String]? = nil, from: String
    ) throws -> Publication {
        let (start, end) = (try time(from), try time("2026-12-25T01:00:00Z"))
        return Publication(
            id: id, feed: "today", layer: layer, revision: revision, storefronts: storefronts, from: .instant(start),
            until: layer == .takeover ? .instant(end) : nil,
            spans: (storefronts ?? Self.storefronts).map { .init(storefront: $0, from: start, until: end) })
    }

    /// Returns the plan of publishing revision 2 with these spans.
    private func plan(
        _ spans: [ProposedSpan], on layer: Publication.Layer, _ order: PublicationOrder?, among publications: [Publication],
        documents: [Int: FeedDocument] = [:]
    ) throws -> PublicationPlan {
        let starts = spans.map { span in
            PlannedStart(
                span, of: 2, on: layer, isNow: order?.from == nil, in: Schedule(publications, in: span.storefront), publications)
        }
        return PublicationPlan(
            of: try #require(FeedKey("today")), on: layer, order: order, archivedAt: nil, starts: starts, documents: documents)
    }

    private func text(_ plan: PublicationPlan) throws -> String {
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"])
        return plan.text(in: .utc, on: screen.environment, width: nil, isColored: false)
    }

    private func plan() throws -> PublicationPlan {
        let (list, grid) = (#"{"carousel": {"rows": 2}}"#, #"{"grid": {"columns": 3}}"#)
        let (before, after) = (try page(1, layout: list, items: ["a", "b", "c"]), try page(2, layout: grid, items: ["c", "a", "x"]))
        let finding = try JSONDocument(
            parsing: """
                {"severity": "warning", "code": "UNAVAILABLE_PIN", "section": "hero", "pointer": "/sections/0/pins/0/item",
                 "message": "topapp:a is not available in sa", "help": "Others move up there."}
                """)
        let start = try time("2026-12-24T18:00:00Z")
        let publications = [
            try publication(3, .takeover, revision: 7, from: "2026-12-24T17:00:00Z"),
            try publication(4, .base, revision: 1, from: "2026-12-24T18:00:00Z"),
        ]
        let requested = try document(
            layout: grid, members: #", "target": {"platforms": ["ios"]}, "pins": [{"slot": 0, "item": "topapp:a"}]"#)
        let spans = Self.storefronts.map { ProposedSpan(storefront: $0, from: start, until: nil, conflicts: [4]) }
        var plan = try self.plan(
            spans, on: .base, PublicationOrder(from: .instant(start)), among: publications,
            documents: [1: try document(layout: list), 2: requested])
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
        try AdminGolden.expect(text, is: "change-summary-\(width).txt", masks: false)
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
        func narrow(_ plan: PublicationPlan) -> String { plan.text(in: .utc, on: screen.environment, width: 80, isColored: false) }
        #expect(narrow(read) == narrow(plan))
        #expect(read.exitCode == .conflict && read.views.map(\.storefronts) == [["us", "gb"], ["sa"]])
    }

    @Test("Storefronts with other times have their own headings, and a conflict names its storefronts")
    func groups() throws {
        let day = try time("2026-12-25T20:00:00Z")
        let publications = [
            try publication(3, .base, revision: 1, from: "2026-12-24T12:00:00Z"),
            try publication(5, .takeover, revision: 7, in: ["us"], from: "2026-12-24T20:00:00Z"),
        ]
        let order = PublicationOrder(
            storefronts: ["de", "gb", "sa", "us"], from: PlannedTime("2026-12-24T18:00"), until: .instant(day))
        let spans = [
            ProposedSpan(storefront: "de", from: try time("2026-12-24T17:00:00Z"), until: day),
            ProposedSpan(storefront: "gb", from: try time("2026-12-24T17:00:00Z"), until: day),
            ProposedSpan(storefront: "sa", from: day, until: day, isEmpty: true),
            ProposedSpan(storefront: "us", from: try time("2026-12-24T23:00:00Z"), until: day, conflicts: [5]),
        ]
        let plan = try plan(spans, on: .takeover, order, among: publications)
        #expect(plan.starts.map(\.storefronts) == [["de", "gb"], ["us"]])
        #expect(plan.conflictingPublications.map(\.storefronts) == [["us"]] && plan.exitCode == .conflict)
        let text = try text(plan)
        let period = "until 2026-12-25 20:00 UTC\n"
        #expect(text.contains("today in de, gb: revision 1 → revision 2 as a takeover, from 2026-12-24 17:00 UTC \(period)"), "\(text)")
        #expect(text.contains("today in us: revision 7 → revision 2 as a takeover, from 2026-12-24 23:00 UTC \(period)"), "\(text)")
        #expect(text.contains("Publication 5, with revision 7 from 2026-12-24 20:00 UTC, conflicts with this one in us."), "\(text)")
        #expect(!text.contains("sa"), "\(text)")
    }

    @Test("A base of some storefronts prevents a publication for all, except with --replace-local")
    func localBases() throws {
        let publications = [
            try publication(3, .base, revision: 1, in: ["de", "us"], from: "2026-12-24T12:00:00Z"),
            try publication(4, .base, revision: 7, in: ["gb", "sa"], from: "2026-12-24T12:00:00Z"),
        ]
        let now = try time("2026-12-24T15:00:00Z")
        let spans = Self.storefronts.map {
            ProposedSpan(storefront: $0, from: now, until: nil, localBase: ["gb", "sa"].contains($0) ? 4 : nil)
        }
        let plan = try plan(spans, on: .base, PublicationOrder(), among: publications)
        #expect(plan.exitCode == .conflict && plan.localBases.map(\.storefronts) == [["gb", "sa"]])
        let text = try text(plan)
        #expect(
            text.contains("gb, sa would lose publication 4, which is for gb, sa only. Replace it with --replace-local."), "\(text)")
        #expect(text.contains("today in de, us: revision 1 → revision 2, starting now\n"), "\(text)")
        #expect(text.contains("today in gb, sa: revision 7 → revision 2, starting now\n"), "\(text)")
        let replacing = try self.plan(spans, on: .base, PublicationOrder(replacesLocal: true), among: publications)
        #expect(replacing.exitCode == .ok && replacing.localBases.isEmpty)
    }

    @Test("A curator confirms the schedule and the findings of a plan again if they change, and not the pages that the server compared")
    func confirmed() throws {
        func confirmed(_ plan: PublicationPlan) throws -> JSONValue {
            PublicationPlan.confirmedPart(of: try JSONDocument(parsing: plan.json()).root)
        }
        let plan = try plan()
        var other = plan
        other.notCompared = []
        let screen = try #require(try ScreenMatrix.builtIn()["iphone"]).environment
        let page = try page(2, layout: #"{"list": {}}"#, items: ["x"])
        other.compare("de", from: try self.page(1, layout: #"{"grid": {"columns": 2}}"#, items: ["a"]), to: page, on: screen)
        #expect(other.views.count > plan.views.count)
        #expect(try confirmed(other) == confirmed(plan) && JSONValue(JSONDocument(parsing: other.json()).root) != confirmed(plan))
        other.findings = []
        #expect(try confirmed(other) != confirmed(plan))
        let start = try time("2026-12-24T19:00:00Z")
        let spans = Self.storefronts.map { ProposedSpan(storefront: $0, from: start, until: nil) }
        #expect(try confirmed(self.plan(spans, on: .base, plan.order, among: [])) != confirmed(plan))
    }

    @Test("A plan changes nothing if the same revision is on the base of all storefronts already")
    func nothing() throws {
        func plan(_ starts: String..., layer: String = "base") throws -> PublicationPlan {
            let list = starts.map { #"{"storefronts": ["us"], "toRevision": 2\#($0)}"# }.joined(separator: ", ")
            let text =
                #"{"feed": "today", "layer": "\#(layer)", "starts": [\#(list)], "comparisons": [], "layouts": [], "findings": []}"#
            return try #require(try JSONDocument(parsing: text).root.decodeLeniently(PublicationPlan.self))
        }
        let same = #", "fromRevision": 2"#
        #expect(try plan(same).changesNothing(isRollback: false) && plan(same, same).changesNothing(isRollback: false))
        #expect(try !plan(same, layer: "takeover").changesNothing(isRollback: false) && !plan().changesNothing(isRollback: false))
        for other in [#", "fromRevision": 1"#, "", #", "fromRevision": 2, "from": "2031-01-01T00:00:00Z""#] {
            #expect(try !plan(other).changesNothing(isRollback: false) && !plan(same, other).changesNothing(isRollback: false), "\(other)")
        }
        // A publication takes effect after the takeover, and a rollback to the same revision does not.
        let publications = [
            try publication(3, .base, revision: 2, from: "2026-12-24T12:00:00Z"),
            try publication(5, .takeover, revision: 7, from: "2026-12-24T12:00:00Z"),
        ]
        let spans = [ProposedSpan(storefront: "us", from: try time("2026-12-24T15:00:00Z"), until: nil)]
        #expect(try !self.plan(spans, on: .base, PublicationOrder(), among: publications).changesNothing(isRollback: false))
        #expect(try self.plan(spans, on: .base, nil, among: publications).changesNothing(isRollback: true))
    }
}
