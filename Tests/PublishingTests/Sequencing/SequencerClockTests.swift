import EventLoop
import Feeds
import Postgres
import Publishing
import Security
import TestDatabase
import Testing
import Values

@Suite("The next scheduled time of the sequencer", .databaseForEachTest)
struct SequencerClockTests {
    private static func feed(_ section: String) -> String {
        #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [{"key": "all", "layout": {"list": {}}, "cell": "row", \#(section)}]}"#
    }

    private static let all = feed(#""rule": {"kind": "topApp"}"#)
    private static let rotated = feed(#""rule": {"kind": "topApp"}, "sort": {"rotate": {"seed": "s", "every": "PT1H"}}"#)
    private static let us = StorefrontFeed(storefront: "us", feed: "today")

    @Test("A canceled publication removes its time", arguments: [false, true])
    func takenBack(restarts: Bool) async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.all)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql("SELECT publish('today', 'takeover', 1, instant_text(now() + interval '1 hour'))")
            let next = try await sequencer.drain(site.connection, until: .soon).nextTime
            #expect(next != nil)
            #expect(try await site.reader.snapshot(of: Self.us)?.validUntil == next)
            try await site.sql(
                "SELECT cancel_publication(2); SELECT publish('today', 'base', save_revision('today', 'main', replace(document, 'all', 'none'))) FROM revisions"
            )
            if restarts { sequencer = try site.sequencer() }
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == nil)
            let snapshot = try await site.reader.snapshot(of: Self.us)
            #expect(snapshot?.sections.map(\.published.id) == ["today/none"] && snapshot?.validUntil == nil)
        }
    }

    @Test("A removed section has no scheduled time")
    func goneSection() async throws {
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.rotated)
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime != nil)
            try await site.publish(Self.all.replacing("all", with: "other"))
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == nil)
        }
    }

    @Test("The next midnight is the first of two if the clocks go back over it")
    func twoMidnights() async throws {
        let days = #""rule": {"releasedWithin": {"days": 1000}}"#
        try await Site.run(
            "UPDATE storefronts SET time_zone = 'America/Havana'; SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}', day => current_date)"
        ) { site in
            try await site.publish(Self.feed(days))
            var sequencer = try site.sequencer()
            // Moves to the evening before the clocks go back on the first Sunday of November.
            let day = "(date_trunc('year', now()) + interval '1 year 10 months')::date"
            let evening = try await site.rows(
                "SELECT (extract(epoch FROM (\(day) + (7 - extract(dow FROM \(day)))::integer % 7)::timestamp AT TIME ZONE 'UTC' + interval '3 hours 30 minutes' - now()))::bigint::text"
            )
            sequencer.clockAhead = .seconds(try #require(evening.first.flatMap { Int($0) }))
            let next = try #require(try await sequencer.drain(site.connection, until: .soon).nextTime)
            #expect("\(next)".contains("T04:00:00"), "\(next)")
        }
    }

    @Test("A rule that timed out is scheduled again in a minute")
    func timeout() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"Anchor\"}')") { site in
            try await site.publish(Self.all)
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            var sequencer = Sequencer(
                ruleTime: .seconds(1), hashedBy: Digest.sha256)
            let time = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            try await other.runScript("lock", "BEGIN; LOCK vitrine.listings IN ACCESS EXCLUSIVE MODE", until: .soon)
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.startedFindings.contains { $0.code == "RULE_TOO_SLOW" && $0.section == "all" && $0.storefronts.contains("de") })
            #expect(report.nextTime.map { $0 > time } == true)
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
            sequencer.clockAhead = .seconds(120)
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["a"]])
        }
    }
}
