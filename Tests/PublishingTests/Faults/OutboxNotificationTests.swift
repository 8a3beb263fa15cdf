import EventLoop
import Postgres
import Publishing
import TestDatabase
import Testing

@Suite("The notification of the sequencer", .databaseForEachTest)
struct OutboxNotificationTests {
    private static let marker = "end"
    private static let change =
        "INSERT INTO vitrine.sync_outbox (kind, keys) SELECT 'category', ARRAY['c' || n] FROM generate_series(1, 3) AS n"

    /// Returns the number of notifications that the commits so far have sent to a listener.
    private static func count(_ site: Site, _ listener: PostgresConnection) async throws -> Int {
        // Notifications arrive in the order of the commits.
        try await site.sql("SELECT pg_notify('\(Sequencer.changeChannel)', '\(marker)')")
        var count = 0
        while true {
            let notifications = try await listener.notifications(until: .soon)
            try #require(!notifications.isEmpty)
            count += notifications.count { $0.payload != marker }
            if notifications.contains(where: { $0.payload == marker }) { return count }
        }
    }

    /// Runs a body with a published catalog, a listener, and the session of another writer.
    private static func run(
        _ body: @escaping @Sendable (Site, _ listener: PostgresConnection, _ other: PostgresConnection) async throws -> Void
    ) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("SELECT pg_temp.top_app('a', '{\"en\": \"App\"}')") { site in
            var sequencer = try site.sequencer()
            while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
            let listener = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { listener.close() }
            let other = try await PostgresConnection.connect(configuration, on: site.connection.loop, until: .soon)
            defer { other.close() }
            try await listener.listen(to: [Sequencer.changeChannel], until: .soon)
            try await body(site, listener, other)
        }
    }

    @Test("A transaction notifies once, when it commits, even if it changes much")
    func once() async throws {
        try await Self.run { site, listener, other in
            let script = "BEGIN; \(Self.change); UPDATE vitrine.top_apps SET developer = 'Other'; \(Self.change)"
            try await other.runScript("begin", script, until: .soon)
            #expect(try await Self.count(site, listener) == 0)
            try await other.runScript("commit", "COMMIT", until: .soon)
            #expect(try await Self.count(site, listener) == 1)
        }
    }

    @Test("An edit of an item notifies, and a rolled-back edit does not")
    func edit() async throws {
        try await Self.run { site, listener, other in
            try await other.runScript("undo", "BEGIN; UPDATE vitrine.top_apps SET developer = 'Other'; ROLLBACK", until: .soon)
            #expect(try await Self.count(site, listener) == 0)
            try await other.runScript("edit", "UPDATE vitrine.top_apps SET developer = 'Other'", until: .soon)
            #expect(try await Self.count(site, listener) == 1)
        }
    }

    @Test("Of several transactions, only the first of those that wait notifies, and a drain starts again")
    func first() async throws {
        try await Self.run { site, listener, other in
            for _ in 1...5 { try await other.runScript("change", Self.change, until: .soon) }
            #expect(try await Self.count(site, listener) == 1)
            var sequencer = try site.sequencer()
            while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
            try await other.runScript("change", Self.change, until: .soon)
            #expect(try await Self.count(site, listener) == 1)
        }
    }
}
