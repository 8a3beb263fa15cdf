import EventLoop
import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@Suite("A section with a period", .databaseForEachTest)
struct SectionPeriodPublishingTests {
    private static let apps = """
        SELECT pg_temp.top_app('a', '{"en": "Anchor"}', rating => 4, ratings => 9), pg_temp.top_app('b', '{"en": "Buoy"}', rating => 3, ratings => 9);
        """

    /// Returns a feed whose second section shows the items that its first one, which has the period, shows to no client.
    private static func feed(_ during: String, _ more: String = "") -> String {
        #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
            {"key": "iftar", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 1, "during": \#(during)\#(more)},
            {"key": "rest", "layout": {"list": {}}, "cell": "row", "rule": {"any": [{"not": {"inSection": "iftar"}}]}}
        ]}
        """#
    }

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    /// The published rows of a storefront, with all that clients and caches see of them.
    private func rows(_ site: Site, _ storefront: String) async throws -> [String] {
        try await site.rows(
            """
            SELECT concat_ws(' ', kind, id, version, encode(hash, 'hex'), valid_until, gone_at) FROM vitrine.published
            WHERE storefront = '\(storefront)' ORDER BY kind, id
            """)
    }

    private func validUntil(_ site: Site, _ storefront: String) async throws -> Timestamp? {
        try await site.reader.snapshot(of: StorefrontFeed(storefront: storefront, feed: "today"))?.validUntil
    }

    @Test("The section appears and disappears by the clock of each storefront, and no other storefront changes")
    func storefronts() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#"{"from": "2131-02-08T18:00", "until": "2131-02-09T02:00"}"#))
            var sequencer = try site.sequencer()
            // New York is at UTC-5, Berlin at UTC+1 and Riyadh at UTC+3.
            let bounds: [(time: String, starts: Set<String>, ends: Set<String>)] = [
                ("2131-02-08T15:00:00Z", ["sa"], []), ("2131-02-08T17:00:00Z", ["de"], []), ("2131-02-08T23:00:00Z", ["us"], ["sa"]),
                ("2131-02-09T01:00:00Z", [], ["de"]), ("2131-02-09T07:00:00Z", [], ["us"]),
            ]
            var shown: Set<String> = []
            for (text, starts, ends) in bounds {
                let bound = try time(text)
                for (seconds, isPast) in [(-30, false), (30, true)] {
                    let now = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
                    sequencer.clockAhead = now.duration(to: bound.advanced(by: .seconds(seconds)))
                    let others = ["us", "de", "sa"].filter { !starts.contains($0) && !ends.contains($0) }
                    var before: [[String]] = []
                    for other in others { before.append(try await rows(site, other)) }
                    let report = try await sequencer.drain(site.connection, until: .soon)
                    if isPast {
                        for (other, before) in zip(others, before) {
                            #expect(try await rows(site, other) == before, "\(other) at \(text)")
                        }
                        shown = shown.union(starts).subtracting(ends)
                        // The section that starts, and the one that depends on it.
                        #expect(report.composedSections == 2 * starts.count + ends.count, "\(text)")
                    } else {
                        #expect(report.nextTime == bound, "\(text)")
                        for key in starts.union(ends) { #expect(try await validUntil(site, key) == bound, "\(key) before \(text)") }
                    }
                    for (key, locale) in [("us", "en"), ("de", "de"), ("sa", "ar")] {
                        let expected: [String: [String]] =
                            shown.contains(key) ? ["today/iftar": ["a"], "today/rest": ["b"]] : ["today/rest": ["a", "b"]]
                        #expect(try await site.visibleItems("today", in: key, locale) == expected, "\(key) \(seconds) s after \(text)")
                    }
                }
            }
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == nil)
            // What a new sequencer composes at the same time is published already.
            var other = try site.sequencer()
            other.clockAhead = sequencer.clockAhead
            #expect(try await other.drain(site.connection, until: .soon).versions == 0)
            for key in ["us", "de", "sa"] {
                let audit = try await other.audit(key, PostgresSession(site.connection, within: .seconds(60)))
                #expect(audit?.differences == [], "\(key)")
                #expect(try await validUntil(site, key) == nil)
            }
        }
    }

    @Test(
        "A bound at a change of the clocks is the end of the gap, or the first of two times",
        arguments: [
            ("America/New_York", "2131-03-11T02:30", "2131-03-11T07:00:00Z"),
            ("America/New_York", "2131-11-04T01:30", "2131-11-04T05:30:00Z"),
            ("Europe/Berlin", "2131-03-25T02:00", "2131-03-25T01:00:00Z"), ("Europe/Berlin", "2131-10-28T02:59", "2131-10-28T00:59:00Z"),
            ("Australia/Lord_Howe", "2131-10-07T02:10", "2131-10-06T15:30:00Z"),
        ])
    func clockChanges(zone: String, local: String, instant: String) async throws {
        try await Site.run("UPDATE storefronts SET time_zone = '\(zone)' WHERE key = 'us'; \(Self.apps)") { site in
            let us = #", "target": {"storefronts": ["us"]}"#
            try await site.publish(Self.feed(#"{"from": "\#(local)"}"#, us))
            var sequencer = try site.sequencer()
            let bound = try time(instant)
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == bound)
            #expect(try await validUntil(site, "us") == bound)
            #expect(try await validUntil(site, "de") == nil)
            try await site.publish(Self.feed(#"{"until": "\#(local)"}"#, us))
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == bound)
            #expect(try await site.visibleItems("today") == ["today/iftar": ["a"], "today/rest": ["b"]])
        }
    }

    @Test("A period that the clocks of a storefront skip is empty there, and not in another storefront")
    func skipped() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#"{"from": "2131-03-11T02:10", "until": "2131-03-11T02:50"}"#))
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == time("2131-03-10T23:10:00Z"))
            #expect(try await validUntil(site, "us") == nil)
            #expect(try await validUntil(site, "de") == time("2131-03-11T01:10:00Z"))
        }
    }

    @Test("The bounds follow the zone of a storefront")
    func zone() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#"{"from": "2131-02-08T18:00"}"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await validUntil(site, "us") == time("2131-02-08T23:00:00Z"))
            try await site.sql("UPDATE storefronts SET time_zone = 'Asia/Tokyo' WHERE key = 'us'")
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == time("2131-02-08T09:00:00Z"))
            #expect(try await validUntil(site, "us") == time("2131-02-08T09:00:00Z"))
        }
    }

    @Test("A change of the catalog while the section does not exist composes only the other sections")
    func closed() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#"{"from": "2131-02-08T18:00"}"#))
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            try await site.sql("UPDATE items SET rating_average = 5, rating_count = 99 WHERE slug = 'b'")
            #expect(try await sequencer.drain(site.connection, until: .soon).composedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/rest": ["b", "a"]])
            let sections = try await site.rows("SELECT DISTINCT id FROM vitrine.published WHERE kind = 'section'")
            #expect(sections == ["today/rest"])
        }
    }

    @Test("A section that retains its items is gone when its period ends, and is no longer retained")
    func retained() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(
                #"""
                {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
                    {"key": "iftar", "layout": {"list": {}}, "cell": "row", "rule": {"rating": {"atLeast": 4}},
                     "during": {"until": "2131-02-08T18:00"}}]}
                """#)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql("UPDATE items SET rating_average = 1 WHERE slug = 'a'")
            #expect(try await sequencer.drain(site.connection, until: .soon).retainedSections == 3)
            #expect(try await site.visibleItems("today") == ["today/iftar": ["a"]])
            let now = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            sequencer.clockAhead = now.duration(to: try time("2131-02-09T12:00:00Z"))
            #expect(try await sequencer.drain(site.connection, until: .soon).retainedSections == 0)
            #expect(try await site.visibleItems("today") == [:])
            let gone = try await site.rows("SELECT count(*)::text FROM vitrine.published WHERE id = 'today/iftar' AND gone_at IS NOT NULL")
            #expect(gone == ["3"])
        }
    }

    @Test("The section is shown from exactly its start until before its end, and the next time is the next bound", arguments: [-1, 0])
    func bounds(microseconds: Int) async throws {
        try await Site.run(Self.apps) { site in
            let (start, end) = (try time("2131-02-08T18:00:00.123456Z"), try time("2131-02-08T18:00:00.123999Z"))
            try await site.publish(Self.feed(#"{"from": "\#(start)", "until": "\#(end)"}"#))
            var sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == start)
            // The clock of a transaction stands still.
            try await site.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let session = PostgresSession(inTransactionOf: site.connection, within: .seconds(60))
            let query = PostgresQuery("now", "SELECT now()")
            let now = try #require(try await site.connection.rows(of: query, as: Timestamp.self, until: .soon).first)
            for (bound, isShown, next) in [(start, true, end), (end, false, nil)] {
                sequencer.clockAhead = now.duration(to: bound) + .microseconds(microseconds)
                let report = try await sequencer.drain(session)
                let expected = microseconds < 0 ? !isShown : isShown
                #expect(try await (site.visibleItems("today")["today/iftar"] != nil) == expected, "\(bound)")
                #expect(report.nextTime == (microseconds < 0 ? bound : next), "\(bound)")
                #expect(try await validUntil(site, "us") == report.nextTime, "\(bound)")
            }
            try await site.sql("ROLLBACK")
        }
    }
}
