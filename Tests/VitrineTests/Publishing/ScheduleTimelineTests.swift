import Feeds
import JSON
import Testing
import Values

@testable import CLI

@Suite("A timeline of a schedule")
struct ScheduleTimelineTests {
    private func publication(_ id: Int, _ layer: String, _ revision: Int, _ from: String, _ until: String? = nil) throws -> Publication {
        let end = until.map { #", "until": "\#($0)""# } ?? ""
        let text = #"{"id": \#(id), "feed": "today", "layer": "\#(layer)", "revision": \#(revision), "from": "\#(from)"\#(end)}"#
        return try #require(try JSONDocument(parsing: text).root.decodeLeniently(Publication.self))
    }

    private func feeds() throws -> [(feed: String, schedule: Schedule)] {
        [
            (
                "today",
                Schedule([
                    try publication(1, "base", 1, "2026-11-01T08:00:00Z", "2026-11-25T00:00:00Z"),
                    try publication(7, "base", 12, "2026-11-25T00:00:00Z"),
                    try publication(5, "takeover", 2, "2026-11-23T17:00:00Z", "2026-11-24T06:00:00Z"),
                    try publication(6, "takeover", 9, "2026-11-26T12:00:00Z", "2026-11-26T12:05:00Z"),
                ])
            ),
            ("games", Schedule([try publication(2, "base", 1, "2026-11-01T08:00:00Z")])),
            ("a-feed-with-a-long-name", Schedule([])),
        ]
    }

    private func text(_ width: Int, days: Int = 7, zone: String = "Europe/Stockholm") throws -> String {
        let now = try #require(Timestamp("2026-11-22T10:30:00Z"))
        return ScheduleTimeline(
            try feeds(), window: now..<now.advanced(by: .seconds(days * 86_400)), now: now, zone: try .named(zone, [:]), width: width,
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
            [("today", Schedule([]))], window: now..<now.advanced(by: .seconds(days * 86_400)), now: now,
            zone: try .named("Europe/Stockholm", [:]), width: 80, isColored: false
        ).text
        let axis = try #require(text.split(separator: "\n").first)
        #expect(axis.split(separator: #/ {2,}/#).map(String.init) == labels)
    }

    @Test("A timeline of any length is drawn without a crash", arguments: [1, 2, 30, 365, 3_650])
    func lengths(days: Int) throws {
        for width in [0, 40, 41, 333] { #expect(try !text(width, days: days, zone: "Asia/Kathmandu").isEmpty) }
    }

    @Test("The summary of a cancellation states what clients see afterwards")
    func cancellation() throws {
        let schedule = try feeds()[0].schedule
        func reported(_ index: Int, at now: String) throws -> String {
            CancellationSummary(of: schedule.publications[index], in: schedule, now: try #require(Timestamp(now))).text(in: .utc)
        }
        #expect(
            try reported(1, at: "2026-11-23T20:00:00Z").hasSuffix(
                "It is live. Canceling ends it immediately, and revision 1 of the base becomes live again.\n"))
        for index in [1, 2] {
            #expect(
                try reported(index, at: "2026-11-22T20:00:00Z").hasSuffix(
                    "It has not started. Canceling removes it, and revision 1 stays live.\n"))
        }
        #expect(try reported(0, at: "2026-11-22T20:00:00Z").contains("the feed has no live revision until"))
    }
}

@Suite("A schedule")
struct ScheduleTests {
    @Test("A schedule returns the live revision, the next change, and the publications of a period")
    func contents() throws {
        let list = try JSONDocument(
            parsing: """
                [{"id": 1, "feed": "f", "layer": "base", "revision": 1, "from": "2026-01-01T00:00:00Z", "until": "2026-02-01T00:00:00Z"},
                 {"id": 2, "feed": "f", "layer": "base", "revision": 3, "from": "2026-02-01T00:00:00Z"},
                 {"id": 3, "feed": "f", "layer": "takeover", "revision": 2, "from": "2026-02-05T00:00:00Z", "until": "2026-02-06T00:00:00Z"}]
                """
        ).root.elements.compactMap { $0.decodeLeniently(Publication.self) }
        let schedule = Schedule(list.reversed())
        func shown(_ day: String) throws -> Int? { schedule.live(at: try #require(Timestamp("2026-\(day)T00:00:00Z")))?.revision }
        #expect(try [shown("01-01"), shown("01-31"), shown("02-01"), shown("02-05"), shown("02-06")] == [1, 1, 3, 2, 3])
        let later = try #require(Timestamp("2026-02-05T12:00:00Z"))
        #expect(try schedule.live(at: #require(Timestamp("2025-12-31T00:00:00Z"))) == nil)
        #expect(schedule.change(after: later) == Timestamp("2026-02-06T00:00:00Z"))
        #expect(schedule.publications(on: .base, from: later, until: nil).map(\.id) == [2])
    }
}
