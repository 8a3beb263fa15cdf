import EventLoop
import Feeds
import Postgres
import Publishing
import TestDatabase
import Testing
import Values

@Suite("Unreadable documents", .databaseForEachTest)
struct UnreadableTests {
    private static let apps =
        CatalogRows.served + """
            SELECT pg_temp.top_app(name, jsonb_build_object('en', name), rating => 4, ratings => 10) FROM unnest('{a,b,c,d}'::text[]) AS name;
            """

    private static func feed(_ section: String) -> String {
        #"{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [{"key": "all", "layout": {"list": {}}, "cell": "row", \#(section)}]}"#
    }

    private static let rotated = feed(#""rule": {"kind": "topApp"}, "size": 1, "sort": {"rotate": {"seed": "s", "every": "PT1H"}}"#)

    /// A document that a newer version may save.
    private static let newer = """
        SELECT save_revision('today', 'newer', '{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [{"key": "all", "hologram": {}}]}');
        """

    @Test("An unreadable published document freezes its storefront, and no other")
    func published() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.feed(#""rule": {"kind": "topApp"}"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(
                """
                UPDATE published SET document = '{"hologram": true}', hash = substring(digest_of('{"hologram": true}') FOR 16)
                WHERE kind = 'placement' AND storefront = 'de';
                UPDATE items SET deleted_at = now() WHERE slug = 'a';
                """)
            let before = try await site.published().filter { $0.key.hasPrefix("de ") }
            var another = try site.sequencer()
            let report = try await another.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/all": ["d", "c", "b"]])
            #expect(try await site.published().filter { $0.key.hasPrefix("de ") } == before)
            #expect(report.startedFindings.map(\.code) == ["UNREADABLE"] && report.unreadable == 1)
            #expect(report.startedFindings.first?.storefronts == ["de"] && report.startedFindings.first?.feed == "today")
            try await site.sql("UPDATE items SET deleted_at = now() WHERE slug = 'b'")
            #expect(try await another.drain(site.connection, until: .soon).startedFindings.isEmpty)
            #expect(try await site.visibleItems("today") == ["today/all": ["d", "c"]])
            #expect(try await site.published().filter { $0.key.hasPrefix("de ") } == before)
        }
    }

    @Test("An unreadable revision has no scheduled time, and publishing continues once the live one is readable")
    func revision() async throws {
        try await Site.run(Self.apps) { site in
            try await site.publish(Self.rotated)
            var sequencer = try site.sequencer()
            let time = try await sequencer.inspect(PostgresSession(site.connection, within: .seconds(60))).time
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime != nil)
            let first = try await site.visibleItems("today")
            try await site.sql(Self.newer + "SELECT publish('today', 'takeover', 2)")
            let report = try await sequencer.drain(site.connection, until: .soon)
            #expect(report.startedFindings.map(\.code) == ["UNREADABLE"] && report.startedFindings.first?.revision == 2)
            #expect(report.unreadable == 1 && report.nextTime == nil)
            sequencer.clockAhead = .seconds(3_600)
            let later = try await sequencer.drain(site.connection, until: .soon)
            #expect(later.versions == 0 && later.nextTime == nil)
            try await site.sql("SELECT cancel_publication(2)")
            let last = try await sequencer.drain(site.connection, until: .soon)
            #expect(last.nextTime.map { $0 > time.advanced(by: .seconds(3_600)) } == true && last.unreadable == 0)
            #expect(last.endedFindings.map(\.code) == ["UNREADABLE"])
            #expect(try await site.visibleItems("today") != first)
        }
    }
}
