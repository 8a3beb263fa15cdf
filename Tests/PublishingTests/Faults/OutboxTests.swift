import EventLoop
import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("The outbox during a foreign transaction", .databaseForEachTest)
struct OutboxTests {
    /// A transaction that holds no locks, but keeps an old snapshot.
    private static let foreign = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1"

    private static func fill(_ count: Int) -> String {
        "INSERT INTO vitrine.sync_outbox (kind, keys) SELECT 'category', ARRAY['c' || n] FROM generate_series(1, \(count)) AS n"
    }

    /// Keeps an automatic VACUUM from the table. While it runs, the outbox is not truncated, but at a later time.
    private static let isolate = "ALTER TABLE vitrine.sync_outbox SET (autovacuum_enabled = false)"

    /// Returns the number of pages that an inspection reads, without those of the catalog that the planner reads again after other
    /// sessions have changed it.
    private static func pages(_ site: Site) async throws -> Int {
        let query = PostgresQuery(
            "explain", "EXPLAIN (ANALYZE, BUFFERS) SELECT EXISTS (SELECT FROM vitrine.sync_outbox)", isPrepared: false)
        let plan = try await site.connection.rows(of: query, as: String.self, until: .soon)
        let buffers = plan.prefix { !$0.hasPrefix("Planning") }.first { $0.contains("Buffers:") } ?? ""
        return buffers.split(separator: " ").compactMap { word in
            word.split(separator: "=").last.flatMap { Int($0) }
        }.reduce(0, +)
    }

    private static func size(_ site: Site) async throws -> String? {
        try await site.rows("SELECT pg_relation_size('vitrine.sync_outbox')::text").first
    }

    @Test("The outbox is truncated when it is empty, so that an inspection skips no dead rows")
    func emptied() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("") { site in
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            try await site.sql(Self.isolate)
            try await other.runScript("foreign", Self.foreign, until: .soon)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(Self.fill(100_000))
            #expect(try await sequencer.drain(site.connection, until: .soon).changes >= 100_000)
            // Rows that the foreign transaction might see cannot be vacuumed.
            #expect(try await Self.pages(site) > 500)
            try await sequencer.emptyOutbox(PostgresSession(site.connection, within: .seconds(60)))
            #expect(try await Self.pages(site) < 5)
            #expect(try await Self.size(site) == "0")
            try await other.runScript("end", "ROLLBACK", until: .soon)
        }
    }

    @Test("The outbox is not truncated while another transaction writes to it, and the written rows are published")
    func held() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("") { site in
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            try await site.sql(Self.isolate)
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await site.sql(Self.fill(50_000))
            _ = try await sequencer.drain(site.connection, until: .soon)
            try await other.runScript("write", "BEGIN; \(Self.fill(1))", until: .soon)
            try await sequencer.emptyOutbox(PostgresSession(site.connection, within: .seconds(60)))
            #expect(try await Self.size(site) != "0")
            try await other.runScript("commit", "COMMIT", until: .soon)
            try await sequencer.emptyOutbox(PostgresSession(site.connection, within: .seconds(60)))
            #expect(try await sequencer.drain(site.connection, until: .soon).changes == 1)
            try await sequencer.emptyOutbox(PostgresSession(site.connection, within: .seconds(60)))
            #expect(try await Self.size(site) == "0")
        }
    }

    @Test("No row of a concurrent transaction is lost")
    func beside() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("") { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            async let written: Void = withConnection(configuration) { other in
                for _ in 1...400 { try await other.runScript("write", Self.fill(7), until: .soon) }
                try await other.runScript("done", "CREATE TABLE vitrine.done ()", until: .soon)
            }
            var (expected, changes, isLast) = (7 * 400, 0, false)
            while !isLast {
                isLast = try await site.rows("SELECT 1::text WHERE to_regclass('vitrine.done') IS NULL").isEmpty
                try await site.sql(Self.fill(20_000))
                expected += 20_000
                changes += try await sequencer.drain(site.connection, until: .soon).changes
                try await sequencer.emptyOutbox(PostgresSession(site.connection, within: .seconds(60)))
            }
            try await written
            var report: Sequencer.Report
            repeat {
                report = try await sequencer.drain(site.connection, until: .soon)
                changes += report.changes
            } while !report.isComplete
            #expect(changes == expected)
        }
    }
}
