import EventLoop
import Postgres
import Publishing
import SQLFiles
import Security
import TestDatabase
import TestSupport
import Testing

@Suite("Concurrent sequencers", .databaseForEachTest)
struct TwoSequencersTests {
    /// The limits of the sequencers, drawn from one seed.
    private struct Limits: Sendable {
        let settings: DrawnSettings
        private let maxTraced: Int
        private let maxChanges: Int
        private let maxImported: Int
        private let maxDue: Int

        init(seed: UInt64) {
            var settings = DrawnSettings(seed: seed)
            maxTraced = settings.draw("mostTraced", default: 20_000, or: [1, 5, 40])
            maxChanges = settings.draw("mostChanges", default: 10_000, or: [1, 3, 20])
            maxImported = settings.draw("maxImported", default: 500, or: [0, 1])
            maxDue = settings.draw("maxDue", default: 8, or: [1, 3])
            self.settings = settings
        }

        func sequencer(_ site: Site) throws -> Sequencer {
            try site.sequencer(maxTraced: maxTraced, maxEdits: maxChanges, maxImported: maxImported, maxDue: maxDue)
        }
    }

    private static let apps = """
        SELECT pg_temp.top_app('a' || n, jsonb_build_object('en', 'App ' || n), rating => 4, ratings => n) FROM generate_series(1, 20) AS n;
        """

    static let feed = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
            {"key": "hero", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 5},
            {"key": "all", "layout": {"list": {}}, "cell": "row", "rule": {"not": {"inSection": "hero"}}, "sort": "title"},
            {"key": "turn", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 3,
             "sort": {"rotate": {"seed": "s", "every": "PT1H"}}}
        ]}
        """#

    @Test("Two sequencers publish each version once and in order, concurrently and if they are killed", arguments: Seeds.fixed(1))
    func twoAtOnce(seed: UInt64) async throws {
        let limits = Limits(seed: seed)
        var configuration = try ScratchDatabase.current.configuration
        configuration.applicationName = "drainer"
        try await Site.run(Audit.script + Self.apps) { [configuration] site in
            try await site.publish(Self.feed)
            async let first = Self.drainUntilDone(configuration, limits)
            async let second = Self.drainUntilDone(configuration, limits)
            var random = SeededRandom(seed: seed)
            let kill =
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'drainer' ORDER BY random() LIMIT 1;"
            for round in 1...120 {
                try await site.sql("SET vitrine.is_import = '\(Bool.random(using: &random) ? "on" : "off")'")
                try await site.sql(Self.change(&random) + (round.isMultiple(of: 6) ? kill : ""))
                // The other sequencer drains it, so that many drains happen instead of one.
                while try await site.rows("SELECT 1::text FROM vitrine.sync_outbox LIMIT 1") != [], round.isMultiple(of: 2) {}
            }
            let unpublished =
                "SELECT 1::text FROM vitrine.sync_head WHERE due_sections > 0 OR EXISTS (SELECT FROM vitrine.sync_outbox)"
            while try await site.rows(unpublished) != [] {}
            // Another sequencer would compose the sections that both have lost.
            let check = try await limits.sequencer(site).audit("us", PostgresSession(site.connection, within: .seconds(60)))
            #expect(check?.differences.isEmpty ?? false, "\(limits.settings)")
            try await site.sql("CREATE TABLE vitrine.done ()")
            let failures = try await [first, second]
            #expect(failures.reduce(0, +) > 0, "\(limits.settings)")
            try await Audit.check(site, "\(limits.settings)")
        }
    }

    @Test("A sequencer continues after a restart of the server from the published documents", .onOwnThread)
    func restart() async throws {
        let server = try DisposableServer()
        defer { do { try server.remove() } catch { Issue.record(error) } }
        let configuration = PostgresConfiguration.patient(try server.url)
        try await withConnection(configuration) { connection in
            let runner = MigrationRunner(
                try MigrationSet(SQLFiles.migrations, digest: Digest.sha256))
            try await runner.migrate(connection)
            let site = Site(connection: connection)
            try await site.sql(
                CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + Audit.script + Self.apps
                    + "CREATE TABLE vitrine.done ()")
            try await site.publish(Self.feed)
        }
        for seed in Seeds.fixed(2) {
            let limits = Limits(seed: seed)
            try await withConnection(configuration) { connection in
                let site = Site(connection: connection)
                try await site.sql("SET search_path = vitrine, public; DROP TABLE done")
                let drainer = Task { await Self.failures(of: configuration, limits) }
                var random = SeededRandom(seed: seed)
                for _ in 1...10 { try await site.sql(Self.change(&random)) }
                try server.stop()
                #expect(await drainer.value > 0)
            }
            try server.start()
            try await withConnection(configuration) { connection in
                let site = Site(connection: connection)
                try await site.sql("SET search_path = vitrine, public; CREATE TABLE done ()")
                try await Audit.check(site, "\(limits.settings)")
            }
        }
    }

    /// Drains until the server stops, and returns the number of failures.
    private static func failures(of configuration: PostgresConfiguration, _ limits: Limits) async -> Int {
        do {
            try await withConnection(configuration) { connection in
                var sequencer = try limits.sequencer(Site(connection: connection))
                while true { _ = try await sequencer.drain(connection, until: .soon) }
            }
            return 0
        } catch {
            return 1
        }
    }

    /// Returns a statement that changes one item or one publication.
    private static func change(_ random: inout SeededRandom) -> String {
        let slug = "'a\(Int.random(in: 1...20, using: &random))'"
        return switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            "UPDATE vitrine.items SET rating_average = \(Int.random(in: 0...5, using: &random)) WHERE slug = \(slug) AND rating_count > 0;"
        case 2: "UPDATE vitrine.items SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END WHERE slug = \(slug);"
        case 3:
            "UPDATE vitrine.item_texts SET title = 'App \(Int.random(in: 1...99, using: &random))' WHERE item_id = (SELECT id FROM vitrine.items WHERE slug = \(slug));"
        case 4: "SELECT vitrine.publish('today', 'base', 1);"
        default: "UPDATE vitrine.feeds SET archived_at = CASE WHEN archived_at IS NULL THEN now() END;"
        }
    }

    /// Drains until everything is published, and returns the number of failures with external causes.
    private static func drainUntilDone(_ configuration: PostgresConfiguration, _ limits: Limits) async throws -> Int {
        var failures = 0
        while true {
            do {
                try await withConnection(configuration) { connection in
                    let site = Site(connection: connection)
                    var sequencer = try limits.sequencer(site)
                    while try await site.rows("SELECT 1::text WHERE to_regclass('vitrine.done') IS NULL") != [] {
                        do {
                            _ = try await sequencer.drain(connection, until: .soon)
                        } catch let error as PostgresError where error.classification == .retry {
                            continue
                        }
                    }
                }
                return failures
            } catch let error as PostgresError where error.classification == .unavailable {
                failures += 1
            }
        }
    }
}
