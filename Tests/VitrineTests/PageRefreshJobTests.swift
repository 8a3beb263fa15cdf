import Catalog
import Dispatch
import EventLoop
import Feeds
import Host
import Items
import JSON
import Layout
import Postgres
import Publishing
import ScreenFiles
import Security
import Settings
import TestDatabase
import Testing
import Values

@testable import API
@testable import CLI
@testable import Server

@Suite("The refresh of a server's pages", .databaseForEachTest)
struct PageRefreshJobTests {
    private static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "apps", "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}}]}
        """#

    /// The shelf of a refresh during which something was published.
    private struct Seen: Sendable {
        let shelf: Int
        let newest: Int?
    }

    /// Returns a log at a level that this test does not reach.
    private static func log() throws -> ServeLog {
        let sources = SettingsSources(flagText: { _ in nil }, environment: ["VITRINE_LOG_LEVEL": "error"]) { _ throws(FileFailure) in
            throw FileFailure(isMissing: true, reason: "there are no files")
        }
        return try ServeLog(try Settings.load(from: sources).settings.log, console: Console(program: "vitrine", environment: [:]))
    }

    private static func publish(_ connection: PostgresConnection) async throws {
        var sequencer = Sequencer(ruleTime: .seconds(30), hashedBy: Digest.sha256)
        _ = try await sequencer.drain(
            PostgresSession(connection, within: .seconds(60)))
    }

    @Test("A refresh shows nothing newer than its version, even if something is published while it reads")
    func snapshot() async throws {
        let configuration = try ScratchDatabase.current.configuration
        let service = PageService(
            screens: try ScreenMatrix.builtIn(), now: { .epoch })
        let log = try Self.log()
        defer { log.output.close() }
        try await withConnection { connection in
            let script =
                CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT; SELECT pg_temp.top_app('a', '{\"en\": \"App\"}')"
            try await connection.runScript("rows", script, until: .soon)
            let feed = try FeedDocument(parsing: Array(Self.today.utf8))
            let query = PostgresQuery(
                "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, 'main', $2::text))", feed.key.text,
                String(decoding: feed.canonical(), as: UTF8.self))
            _ = try await connection.run(query, until: .soon)
            try await Self.publish(connection)
            let (calls, found, ends) = (Locked(0), Locked<Seen?>(nil), AsyncStream.makeStream(of: Void.self))
            let refreshing = PageRefreshJob(service, configuration, log) { _ in
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                if call == 1 {
                    // The refresh continues once the change is committed, which happens on another event loop.
                    let committed = DispatchSemaphore(value: 0)
                    Task(executorPreference: connection.loop) {
                        defer { committed.signal() }
                        try await connection.runScript("change", "UPDATE top_apps SET developer = 'Other'", until: .soon)
                        try await Self.publish(connection)
                    }
                    committed.wait()
                } else if call == 2 {
                    found.withLock { found in
                        found = service.current.map { Seen(shelf: $0.version, newest: $0.snapshots.values.map(\.version).max()) }
                    }
                    ends.continuation.finish()
                }
            }
            let loop = try EventLoop(name: "refreshing")
            let running = Task(executorPreference: loop) { await refreshing.run(on: loop) }
            for await _ in ends.stream {}
            running.cancel()
            await running.value
            await loop.stop()
            let received = try #require(found.withLock { $0 })
            #expect(received.newest == received.shelf)
        }
    }
}
