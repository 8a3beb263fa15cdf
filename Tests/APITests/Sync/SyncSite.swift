import EventLoop
import Feeds
import HTTPMessages
import Host
import JSON
import Layout
import Postgres
import Publishing
import ScreenFiles
import Security
import Sync
import TestDatabase
import TestSupport
import Testing
import Values

@testable import API
@testable import HTTP

/// The routes of sync over the database of a test, with the sequencer that publishes its changes.
struct SyncSite: Sendable {
    private static let catalog = """
        SELECT pg_temp.top_app('app-' || n, format('{"en": "App %s", "de": "Programm %s"}', n, n)::jsonb, rating => 4, ratings => n)
        FROM generate_series(1, 9) AS n;
        SELECT pg_temp.food_app('ramen', '{"en": "Ramen"}', storefront => 'us', rating => 4, ratings => 10);
        SELECT vitrine.derive_items(1000);
        """

    private static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": [
          {"key": "apps", "title": {"en": "Apps", "es": "Programas"}, "header": false, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "size": 5,
           "target": {"platforms": ["ios"]}, "seeAll": {"title": {"en": "All"}, "size": 5}}]}
        """#

    let connection: PostgresConnection
    let pages: PageService
    let sync: SyncService
    let application: Application
    /// The same routes with another cursor key.
    let other: Application
    let sequencer: Locked<Sequencer>
    let loop: EventLoop
    /// The number of connections that the routes have requested.
    let reads: Locked<Int>

    /// Runs a body with nine TopApps, a FoodApp and a feed, published for all storefronts.
    static func run(
        waiters: Int = 10, limiting limit: (inout SyncService.Limits) -> Void = { _ in },
        _ body: @escaping @Sendable (SyncSite) async throws -> Void
    ) async throws {
        var limits = SyncService.Limits(maxWaiting: waiters, retention: .seconds(60 * 86_400))
        limit(&limits)
        let sequencer = Sequencer(
            ruleTime: .seconds(30), hashedBy: Digest.sha256)
        let pages = PageService(
            screens: try ScreenMatrix.builtIn(), now: { .epoch })
        let key = try #require(HMACKey(Array(repeating: 7, count: 32)))
        let codec = CursorCodec([.init(id: 1) { key.code(of: $0) }], areEqual: { HMACKey.areEqual($0, $1) })
        try await withPool { [limits] pool in
            let reads = Locked(0)
            try await pool.withConnection(until: .soon) { connection in
                let sync = SyncService(
                    pages: pages, codec: codec, limits: limits,
                    pool: { _ in
                        reads.withLock { $0 += 1 }
                        return pool
                    })
                let application = Application(Route.sync(sync))
                let otherCodec = CursorCodec([.init(id: 2) { key.code(of: $0) }], areEqual: { HMACKey.areEqual($0, $1) })
                let other = Application(
                    Route.sync(SyncService(pages: pages, codec: otherCodec, pool: { _ in pool })))
                try await connection.runScript(
                    "rows", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + Self.catalog, until: .soon)
                let feed = try FeedDocument(parsing: Array(Self.today.utf8))
                let query = PostgresQuery(
                    "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, 'main', $2::text))::text", feed.key.text,
                    String(decoding: feed.canonical(), as: UTF8.self))
                _ = try await connection.run(query, until: .soon)
                let site = SyncSite(
                    connection: connection, pages: pages, sync: sync, application: application, other: other, sequencer: Locked(sequencer),
                    loop: pool.loop, reads: reads)
                try await site.update()
                try await body(site)
            }
        }
    }

    func send(_ line: String, _ fields: [String] = [], of other: Application? = nil) async throws -> Response {
        let request = Request(
            head: try head(line, fields), body: [], peer: .init(address: "192.0.2.1", isEncrypted: false), deadline: .soon)
        return try await (other ?? application).send(request, on: loop)
    }

    func json(_ path: String) async throws -> JSONNode {
        let response = try await send("GET \(path)")
        #expect(response.status == .ok, "\(path): \(response.text)")
        return try JSONDocument(parsing: Array(response.text.utf8), limits: .page).root
    }

    /// Returns the problem code of a rejected request, checked against the OpenAPI document.
    func rejection(_ path: String, _ status: Status = .badRequest) async throws -> String? {
        let response = try await send("GET \(path)")
        #expect(response.status == status, "\(path): \(response.text)")
        #expect(response[.cacheControl] == ["no-store"])
        return try JSONDocument(parsing: Array(response.text.utf8)).root["code"]?.string
    }

    func sql(_ script: String) async throws {
        try await connection.runScript("change", script, until: .soon)
        try await update()
    }

    func update() async throws {
        try await drain()
        try await refresh()
    }

    /// Reads the published changes.
    func refresh() async throws {
        _ = try await pages.refresh(published: sync.publish, PostgresSession(connection, within: .seconds(60)))
    }

    /// Marks the head as the sequencer does while committed transactions wait, and after the last of them.
    func setHead(isComplete: Bool) async throws {
        try await connection.runScript("head", "UPDATE sync_head SET is_complete = \(isComplete)", until: .soon)
        try await refresh()
    }

    /// Runs a body with the events of a stream, which ends with the body or after a minute.
    func streaming(
        _ query: String, _ fields: [String] = [], _ body: (AsyncStream<String>) async throws -> Void
    ) async throws {
        let response = try await send("GET /v1/us/sync/stream?\(query)", fields)
        guard case .stream(_, let write) = response.body else {
            Issue.record("\(response.text)")
            return
        }
        let (events, writer) = AsyncStream.makeStream(of: String.self)
        let task = Task(executorPreference: loop) {
            defer { writer.finish() }
            try await write(BodyWriter { bytes in writer.yield(String(decoding: bytes, as: UTF8.self)) })
        }
        let end = Task(executorPreference: loop) {
            do throws(EventLoopError) { try await loop.sleep(until: .soon) } catch { return }
            task.cancel()
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(events)) } catch { result = .failure(error) }
        end.cancel()
        task.cancel()
        _ = await (task.result, end.value)
        try result.get()
    }

    func drain() async throws {
        var drained = sequencer.withLock { $0 }
        let session = PostgresSession(connection, within: .seconds(60))
        _ = try await drained.drain(session)
        let retained = drained
        sequencer.withLock { $0 = retained }
    }

    /// Returns all changes of a scope, and the cursor after them.
    func load(_ query: String) async throws -> (changes: [JSONNode], cursor: String) {
        var changes: [JSONNode] = []
        var cursor = ""
        while true {
            let page = try await json("/v1/us/sync?\(query)\(cursor.isEmpty ? "" : "&cursor=\(cursor)")")
            changes += page["changes"]?.elements.map { $0 } ?? []
            cursor = try #require(page["cursor"]?.string)
            if page["hasMore"]?.bool == false { return (changes, cursor) }
        }
    }
}
