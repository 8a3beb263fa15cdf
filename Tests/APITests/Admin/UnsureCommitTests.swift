import Access
import EventLoop
import HTTPMessages
import JSON
import Postgres
import SQLFiles
import Security
import TestDatabase
import TestSupport
import Testing

@testable import API
@testable import HTTP

/// The test's own cluster has one synchronous standby, which does not exist.
@Suite("A change whose commit no standby confirms", .onOwnThread)
struct UnsureCommitTests {
    private static let waiting = PostgresQuery("waiting", "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    private static let item = "/admin/v1/items/topapp:app-1"
    private static let token = AccessToken(random: (0..<AccessToken.randomSize).map { UInt8($0) })

    @Test("The change and its repeats get 503 until a standby confirms a commit, then the original response")
    func repeated() async throws {
        // A commit waits only if the test enables that.
        let server = try DisposableServer(parameters: ["synchronous_standby_names": "nobody", "synchronous_commit": "off"])
        defer { do { try server.remove() } catch { Issue.record(error) } }
        let configuration = PostgresConfiguration.patient(try server.url)
        try await withConnection(configuration) { connection in try await Self.prepare(connection) }
        let record = try await asking(configuration, commitsWait: false) { site, _ in
            let before = try await site.expect(.ok, "GET \(Self.item)", Self.token)
            return (tag: before.tag, text: String(decoding: try JSONValue(try #require(try before.json["record"])).json(), as: UTF8.self))
        }
        let changes: [(line: String, field: String, body: String, status: Status)] = [
            ("PUT \(Self.item)", "If-Match: \(record.tag)", record.text.replacing("Programm 1", with: "Anwendung 1"), .ok),
            ("PUT /admin/v1/feeds/today/draft", "If-None-Match: *", AdminSite.today, .created),
        ]
        for (index, change) in changes.enumerated() {
            let fields = [change.field, "Idempotency-Key: key-\(index)"]
            try await asking(configuration, commitsWait: true) { site, probe in
                for attempt in 1...2 {
                    async let response = site.expect(.unavailable, change.line, Self.token, fields, body: change.body)
                    try await Self.cancelCommit(through: probe)
                    #expect(try await response.code == "databaseUnavailable", "attempt \(attempt)")
                }
            }
            try await asking(configuration, commitsWait: false) { site, _ in
                for _ in 1...2 { try await site.expect(change.status, change.line, Self.token, fields, body: change.body) }
                #expect(try await site.rows("SELECT count(*)::text FROM vitrine.audit_entries") == ["\(index + 1)"])
                // Without the key it is a new change, with a stale ETag.
                try await site.expect(.preconditionFailed, change.line, Self.token, [change.field], body: change.body)
            }
        }
    }

    private static func prepare(_ connection: PostgresConnection) async throws {
        let runner = MigrationRunner(try MigrationSet(SQLFiles.migrations, digest: Digest.sha256))
        try await runner.migrate(connection)
        try await connection.runScript(
            "rows", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + AdminSite.catalog, until: .soon)
        let store = TokenStore(hashedBy: Digest.sha256, PostgresSession(connection, within: .seconds(60)))
        _ = try await store.create(Self.token, name: "anna", scope: .publish, lifetime: nil)
        // The use of a token would be another commit, once a minute.
        try await connection.runScript("use", "UPDATE vitrine.tokens SET last_used_at = now() + interval '1 hour'", until: .soon)
    }

    /// Runs a body with the routes and a second connection, whose sessions wait for the standby or do not.
    private func asking<Result: Sendable>(
        _ configuration: PostgresConfiguration, commitsWait: Bool,
        _ body: @escaping @Sendable (AdminSite, PostgresConnection) async throws -> Result
    ) async throws -> Result {
        try await withConnection(configuration) { connection in
            try await connection.runScript(
                "commits", "SET synchronous_commit = off; ALTER DATABASE vitrine SET synchronous_commit = \(commitsWait ? "on" : "off")",
                until: .soon)
        }
        let (results, keeper) = AsyncStream.makeStream(of: Result.self)
        try await withPool(configuration) { pool in
            let probe = try await PostgresConnection.connect(configuration, on: pool.loop, until: .soon)
            defer { probe.close() }
            keeper.yield(try await body(try AdminSite(pool, configuration), probe))
        }
        return try #require(await results.first { _ in true })
    }

    /// Waits for a commit that waits for the standby, and cancels its wait.
    private static func cancelCommit(through probe: PostgresConnection) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            guard let process = try await probe.rows(of: waiting, as: Int32.self, until: .soon).first else { continue }
            try await probe.run(PostgresQuery("cancel", "SELECT pg_cancel_backend($1)", process), until: .soon)
            return
        }
        Issue.record("no commit waits for the standby")
    }
}
