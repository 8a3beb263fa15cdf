import EventLoop
import Feeds
import Postgres
import Security
import TestDatabase
import Testing

@Suite("A rule that is too slow", .databaseForEachTest)
struct SlowRuleTests {
    private static let catalog = """
        SELECT pg_temp.top_app(name, jsonb_build_object('en', name), rating => 4, ratings => 10) FROM unnest('{a,b,c}'::text[]) AS name;
        INSERT INTO charts SELECT key, 'top' FROM storefronts;
        INSERT INTO chart_entries SELECT key, 'top', ascii(slug) - 96, id FROM storefronts, items;
        """

    /// Ten that are quick, and among them one that needs the chart.
    private static let feed: String = {
        let quick = (1...10).map { #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}"# }
        let slow =
            #"{"key": "slow", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": {"chart": "top"}, "minItems": 2}"#
        let sections = quick.prefix(5) + [slow] + quick.suffix(5)
        return #"{"feed": "today", "title": {"en": "Today"}, "sections": [\#(sections.joined(separator: ", "))]}"#
    }()

    private static let limit = Duration.milliseconds(200)

    /// With the chart held by somebody else.
    private static func run(
        _ body: @escaping @Sendable (Shop, _ other: PostgresConnection, inout Sequencer) async throws -> Void
    ) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Shop.run(catalog) { shop in
            try await shop.publish(feed)
            let other = try await PostgresConnection.connect(configuration, on: shop.connection.loop, until: .soon)
            defer { other.close() }
            var sequencer = try Sequencer(
                SequencerQueries(shop.library), RuleQueries(shop.library), ruleTime: limit, hashedBy: Digest.sha256)
            try await body(shop, other, &sequencer)
        }
    }

    private static func lock(_ other: PostgresConnection) async throws {
        try await other.runScript("lock", "BEGIN; LOCK vitrine.chart_entries IN ACCESS EXCLUSIVE MODE", until: .soon)
    }

    private static func isSlow(_ notice: SequencerNotice) -> Bool { if case .tooSlow = notice { true } else { false } }

    @Test("holds the others up no longer than two of its kind may take, and is tried again after pauses that grow")
    func budget() async throws {
        try await Self.run { shop, other, sequencer in
            let storefronts = try await shop.rows("SELECT key FROM storefronts").count
            try await Self.lock(other)
            let began = ContinuousClock.now
            let first = try await sequencer.drain(shop.connection, until: .soon)
            // Eleven sections in each storefront, by halves, would have taken five times as long for each that is slow.
            #expect(ContinuousClock.now - began < Self.limit * 2 + .seconds(2))
            #expect(first.notices.count(where: Self.isSlow) == 2 && first.slowSections == 2 && first.composedSections == 11 * storefronts)
            let shown = try await shop.shown("today")
            #expect(shown.count == 10 && shown.values.allSatisfy { $0 == ["c", "b", "a"] })
            // The rest of them in the drains after that, two each.
            var (slow, seconds) = (2, 0)
            while slow < storefronts {
                seconds += 2
                sequencer.clockAhead = .seconds(seconds)
                let next = try await sequencer.drain(shop.connection, until: .soon)
                #expect(next.slowSections > slow && next.slowSections <= slow + 2 && next.composedSections == storefronts - slow)
                slow = next.slowSections
            }
            sequencer.clockAhead = .seconds(seconds + 2)
            // A change does not make them be asked before their time.
            try await shop.sql("UPDATE items SET rating_count = 99 WHERE slug = 'a'")
            let changed = try await sequencer.drain(shop.connection, until: .soon)
            #expect(changed.notices.isEmpty && changed.slowSections == storefronts)
            #expect(try await shop.shown("today")["today/s1"] == ["a", "c", "b"])
            // A minute later they are, and the next time not before two.
            sequencer.clockAhead = .seconds(120)
            let again = try await sequencer.drain(shop.connection, until: .soon)
            #expect(again.slowSections == storefronts && again.notices.isEmpty)
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
            sequencer.clockAhead = .seconds(170)
            _ = try await sequencer.drain(shop.connection, until: .soon)
            #expect(try await shop.shown("today")["today/slow"] == nil)
            sequencer.clockAhead = .seconds(400)
            let last = try await sequencer.drain(shop.connection, until: .soon)
            #expect(last.slowSections == 0)
            #expect(last.notices.contains(.asArranged(section: "today/slow", storefront: "us")) && last.notices.count == storefronts)
            #expect(try await shop.shown("today")["today/slow"] == ["a", "b", "c"])
        }
    }

    @Test("leaves what its section showed, without what was withdrawn meanwhile")
    func withdrawn() async throws {
        try await Self.run { shop, other, sequencer in
            _ = try await sequencer.drain(shop.connection, until: .soon)
            #expect(try await shop.shown("today")["today/slow"] == ["a", "b", "c"])
            try await shop.sql("UPDATE items SET deleted_at = now() WHERE slug = 'b'")
            try await Self.lock(other)
            let report = try await sequencer.drain(shop.connection, until: .soon)
            #expect(report.slowSections == 2)
            for storefront in try await shop.rows("SELECT key FROM storefronts") {
                #expect(try await shop.shown("today", in: storefront)["today/slow"] == ["a", "c"])
            }
            try await other.runScript("unlock", "ROLLBACK", until: .soon)
        }
    }
}
