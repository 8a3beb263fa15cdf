import Feeds
import JSON
import Testing
import Values

@testable import CLI

@Suite("A timeline of a schedule")
struct ScheduleTimelineTests {
    /// Returns a publication with the same period in each of its storefronts.
    private func publication(
        _ id: Int, _ layer: Publication.Layer, _ revision: Int, in storefronts: [String]? = nil, _ from: String, _ until: String? = nil
    ) throws -> Publication {
        let (start, end) = (try #require(Timestamp(from)), until.flatMap { Timestamp($0) })
        return Publication(
            id: id, feed: "today", layer: layer, revision: revision, storefronts: storefronts, from: .instant(start),
            until: layer == .takeover ? end.map { .instant($0) } : nil,
            spans: (storefronts ?? Self.storefronts).map { .init(storefront: $0, from: start, until: end) })
    }

    private static let storefronts = ["de", "us"]

    private func today() throws -> [Publication] {
        [
            try publication(1, .base, 1, "2026-11-01T08:00:00Z", "2026-11-25T00:00:00Z"),
            try publication(5, .takeover, 2, "2026-11-23T17:00:00Z", "2026-11-24T06:00:00Z"),
            try publication(6, .takeover, 9, "2026-11-26T12:00:00Z", "2026-11-26T12:05:00Z"),
            try publication(7, .base, 12, "2026-11-25T00:00:00Z"),
        ]
    }

    private func rows() throws -> [ScheduleTimeline.Row] {
        let feeds = [
            ("today", try today()), ("games", [try publication(2, .base, 1, "2026-11-01T08:00:00Z")]), ("a-feed-with-a-long-name", []),
        ]
        return feeds.flatMap { ScheduleTimeline.Row.all(of: $0.0, $0.1, in: Self.storefronts) }
    }

    private func text(_ width: Int, days: Int = 7, zone: String = "Europe/Stockholm") throws -> String {
        let now = try #require(Timestamp("2026-11-22T10:30:00Z"))
        return ScheduleTimeline(
            try rows(), window: now..<now.advanced(by: .seconds(days * 86_400)), now: now, zone: try .named(zone, [:]), width: width,
            isColored: false
        ).text
    }

    @Test(
        "The timeline fits the width of the terminal, with bars for live publications and thin ones under takeovers",
        arguments: [40, 100, 200])
    func widths(width: Int) throws {
        let text = try text(width)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
        try AdminGolden.expect(text, is: "time-line-\(width).txt", masks: false)
    }

    @Test("A timeline of one day has hours")
    func day() throws { try AdminGolden.expect(try text(100, days: 1), is: "time-line-day.txt", masks: false) }

    @Test(
        "The labels are days and hours of the time zone, even after a change of clocks",
        arguments: [
            ("2026-10-24T10:00:00Z", 4, ["25 Oct", "26 Oct", "27 Oct", "28 Oct"]),
            ("2026-03-28T11:00:00Z", 2, ["12:00", "29 Mar", "12:00", "30 Mar"]),
        ])
    func clocks(start: String, days: Int, labels: [String]) throws {
        let now = try #require(Timestamp(start))
        let text = ScheduleTimeline(
            ScheduleTimeline.Row.all(of: "today", [], in: Self.storefronts), window: now..<now.advanced(by: .seconds(days * 86_400)),
            now: now,
            zone: try .named("Europe/Stockholm", [:]), width: 80, isColored: false
        ).text
        let lines = text.split(separator: "\n")
        // The name of the zone is longer than the names of the feeds.
        #expect(lines.first == "Europe/Stockholm")
        #expect(lines[1].split(separator: #/ {2,}/#).map(String.init) == labels)
    }

    @Test(
        "The axis starts with the name of its zone, which has a line of its own if it is long",
        arguments: [("UTC", 40, "UTC "), ("Asia/Riyadh", 100, "Asia/Riyadh "), ("America/Argentina/ComodRivadavia", 40, nil)])
    func zones(zone: String, width: Int, start: String?) throws {
        let lines = try text(width, zone: zone).split(separator: "\n")
        #expect(lines[0].hasPrefix(start ?? zone) && lines.allSatisfy { $0.count <= width }, "\(lines)")
        let hasOwnLine = lines[0] == zone
        #expect(hasOwnLine == (start == nil) && lines[hasOwnLine ? 2 : 1].contains("┬"), "\(lines)")
    }

    @Test("In a list, an instant has the offset of the zone, and a wall clock is marked as local time")
    func columns() throws {
        let takeover = Publication(
            id: 8, feed: "today", layer: .takeover, revision: 2, from: try #require(PlannedTime("2026-11-23T18:00")),
            until: PlannedTime("2026-11-24T02:00:00Z"), spans: [])
        let columns = Publication.columns(in: try .named("Asia/Riyadh", [:]))
        let texts = columns.filter { ["FROM", "UNTIL"].contains($0.title) }.map { $0.text(takeover) }
        #expect(texts == ["2026-11-23 18:00 local time", "2026-11-24T05:00:00+03:00"])
    }

    @Test("A timeline of any length is drawn without a crash", arguments: [1, 2, 30, 365, 3_650])
    func lengths(days: Int) throws {
        for width in [0, 40, 41, 333] { #expect(try !text(width, days: days, zone: "Asia/Kathmandu").isEmpty) }
    }

    @Test("Storefronts with the same periods share a row, and the legend names them if others have their own")
    func storefronts() throws {
        func takeover(_ id: Int, _ storefronts: [String], _ spans: [(String, String)]) throws -> Publication {
            Publication(
                id: id, feed: "today", layer: .takeover, revision: 2, storefronts: storefronts,
                from: try #require(PlannedTime("2026-11-23T18:00")),
                until: PlannedTime("2026-11-24T02:00"),
                spans: try zip(storefronts, spans).map { storefront, span in
                    .init(storefront: storefront, from: try #require(Timestamp(span.0)), until: Timestamp(span.1))
                })
        }
        let all = ["de", "kw", "sa", "us"]
        let arabia = ("2026-11-23T15:00:00Z", "2026-11-23T23:00:00Z")
        let base = Publication(
            id: 1, feed: "today", layer: .base, revision: 1, from: .instant(try #require(Timestamp("2026-11-01T08:00:00Z"))), until: nil,
            spans: try all.map { .init(storefront: $0, from: try #require(Timestamp("2026-11-01T08:00:00Z")), until: nil) })
        let publications = [
            base, try takeover(8, ["kw", "sa", "us"], [arabia, arabia, ("2026-11-23T23:00:00Z", "2026-11-24T07:00:00Z")]),
        ]
        let rows = ScheduleTimeline.Row.all(of: "today", publications, in: all)
        #expect(rows.map(\.storefronts) == [["de"], ["kw", "sa"], ["us"]])
        #expect(rows.map { $0.schedule.entries.map(\.id) } == [[1], [1, 8], [1, 8]])
        #expect(ScheduleTimeline.Row.all(of: "today", [base], in: all).map(\.storefronts) == [nil])
        // A storefront without a span has a row of its own.
        #expect(ScheduleTimeline.Row.all(of: "today", [base], in: all + ["xx"]).map(\.storefronts) == [all, ["xx"]])

        let now = try #require(Timestamp("2026-11-22T10:30:00Z"))
        func lines(_ rows: [ScheduleTimeline.Row]) -> [Substring] {
            ScheduleTimeline(
                rows, window: now..<now.advanced(by: .seconds(7 * 86_400)), now: now, zone: .utc, width: 160, isColored: false
            ).text.split(separator: "\n")
        }
        let text = lines(rows)
        let bars = text.filter { $0.contains("━") }
        #expect(
            bars.map { $0.prefix(13) } == ["today de     ", "today kw sa  ", "             ", "today us     ", "             "], "\(text)")
        #expect(text.count { $0.contains("1: revision 1 in kw, sa, from 2026-11-01 08:00 UTC, open-ended") } == 1, "\(text)")
        let takeovers = text.filter { $0.contains("8: revision 2 as a takeover in ") }.map { $0.drop { $0 == " " } }
        #expect(
            takeovers == [
                "8: revision 2 as a takeover in kw, sa, from 2026-11-23 15:00 UTC until 2026-11-23 23:00 UTC",
                "8: revision 2 as a takeover in us, from 2026-11-23 23:00 UTC until 2026-11-24 07:00 UTC",
            ])
        #expect(lines(ScheduleTimeline.Row.all(of: "today", [base], in: all)).allSatisfy { !$0.contains(" in ") })
    }

    @Test("The summary of a cancellation states what clients see afterwards")
    func cancellation() throws {
        let publications = try today()
        func reported(_ id: Int, at now: String) throws -> String {
            let publication = try #require(publications.first { $0.id == id })
            return CancellationSummary(of: publication, in: nil, among: publications, now: try #require(Timestamp(now))).text(in: .utc)
        }
        #expect(
            try reported(5, at: "2026-11-23T20:00:00Z").hasSuffix(
                "\nIt is live. Canceling ends it immediately, and revision 1 of the base becomes live again.\n"))
        for id in [5, 7] {
            #expect(
                try reported(id, at: "2026-11-22T20:00:00Z").hasSuffix(
                    "\nIt has not started. Canceling removes it, and revision 1 stays live.\n"))
        }
        #expect(try reported(1, at: "2026-11-22T20:00:00Z").contains("the feed has no live revision until"))
    }

    @Test("The summary of a cancellation names no base that ends before the canceled one starts")
    func cancellationAfterGap() throws {
        func time(_ day: Int) throws -> Timestamp { try #require(Timestamp("2026-11-\(day)T00:00:00Z")) }
        let publications = [
            // It was canceled in sa.
            Publication(
                id: 4, feed: "today", layer: .base, revision: 1, storefronts: nil, from: .instant(try time(10)), until: nil,
                spans: [
                    .init(storefront: "de", from: try time(10), until: try time(25)),
                    .init(storefront: "sa", from: try time(10), until: try time(22)),
                ]),
            Publication(
                id: 12, feed: "today", layer: .base, revision: 3, storefronts: nil, from: .instant(try time(25)), until: nil,
                spans: try ["de", "sa"].map { .init(storefront: $0, from: try time(25), until: nil) }),
        ]
        let lines = CancellationSummary(of: publications[1], in: nil, among: publications, now: try time(23)).text(in: .utc)
            .split(separator: "\n")
        #expect(
            lines.dropFirst() == [
                "In de: It has not started. Canceling removes it, and revision 1 stays live.",
                "In sa: It has not started. Canceling removes it.",
            ])
    }

    @Test("The summary of a cancellation groups the storefronts by what clients see afterwards")
    func cancellationByStorefront() throws {
        let publications = [
            try publication(1, .base, 1, in: ["de", "sa", "us"], "2026-11-01T08:00:00Z"),
            try publication(2, .base, 3, in: ["gb"], "2026-11-01T08:00:00Z"),
            try publication(5, .takeover, 2, in: ["de", "gb", "us"], "2026-11-23T17:00:00Z", "2026-11-24T06:00:00Z"),
        ]
        func reported(_ storefronts: [String]?, at now: String = "2026-11-23T20:00:00Z") throws -> [String] {
            let summary = CancellationSummary(
                of: publications[2], in: storefronts, among: publications, now: try #require(Timestamp(now)))
            return summary.text(in: .utc).split(separator: "\n").map(String.init)
        }
        let title =
            "Publication 5 shows revision 2 as a takeover in de, gb, us, from 2026-11-23 17:00 UTC until 2026-11-24 06:00 UTC."
        let end = "It is live. Canceling ends it immediately, and revision"
        #expect(
            try reported(nil) == [
                title, "In de, us: \(end) 1 of the base becomes live again.", "In gb: \(end) 3 of the base becomes live again.",
            ])
        #expect(try reported(["us"]) == [title, "In us: \(end) 1 of the base becomes live again."])
        #expect(
            try reported(["gb"], at: "2026-11-22T20:00:00Z") == [
                title, "In gb: It has not started. Canceling removes it, and revision 3 stays live.",
            ])
        // A publication that has ended cannot be canceled.
        #expect(try reported(nil, at: "2026-11-24T07:00:00Z") == [title])
    }
}

@Suite("A schedule")
struct ScheduleTests {
    @Test("A schedule returns the live revision, the next change, and the publications of a period")
    func contents() throws {
        func publication(_ id: Int, _ layer: String, _ revision: Int, _ spans: [(String, String, String?)]) -> String {
            let list = spans.map { storefront, from, until in
                let end = until.map { #", "until": "2026-\#($0)T00:00:00Z""# } ?? ""
                return #"{"storefront": "\#(storefront)", "from": "2026-\#(from)T00:00:00Z"\#(end)}"#
            }.joined(separator: ", ")
            return
                #"{"id": \#(id), "feed": "f", "layer": "\#(layer)", "revision": \#(revision), "from": "2026-01-01T00:00", "spans": [\#(list)]}"#
        }
        let text = [
            publication(1, "base", 1, [("de", "01-01", "03-01"), ("us", "01-01", "02-01")]),
            publication(2, "base", 3, [("us", "02-01", nil)]), publication(3, "takeover", 2, [("us", "02-05", "02-06")]),
            publication(4, "base", 4, [("de", "03-01", nil)]),
        ].joined(separator: ", ")
        let list = try JSONDocument(parsing: "[\(text)]").root.elements.compactMap { $0.decodeLeniently(Publication.self) }
        let schedule = Schedule(list.reversed(), in: "us")
        #expect(schedule.entries.map(\.id) == [1, 2, 3])
        func shown(_ day: String) throws -> Int? { schedule.live(at: try #require(Timestamp("2026-\(day)T00:00:00Z")))?.revision }
        #expect(try [shown("01-01"), shown("01-31"), shown("02-01"), shown("02-05"), shown("02-06")] == [1, 1, 3, 2, 3])
        let later = try #require(Timestamp("2026-02-05T12:00:00Z"))
        #expect(try schedule.live(at: #require(Timestamp("2025-12-31T00:00:00Z"))) == nil)
        #expect(schedule.change(after: later) == Timestamp("2026-02-06T00:00:00Z"))
        #expect(schedule.entries(on: .base, from: later, until: nil).map(\.id) == [2])
        #expect(Schedule(list, in: "de").live(at: later)?.revision == 1 && Schedule(list, in: "gb").entries.isEmpty)
        #expect(
            Schedule.all(of: list).mapValues { $0.change(after: later) } == [
                "de": Timestamp("2026-03-01T00:00:00Z"), "us": schedule.change(after: later),
            ])
    }
}
