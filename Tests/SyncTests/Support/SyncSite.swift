import Catalog
import EventLoop
import Feeds
import Items
import JSON
import Postgres
import Publishing
import Security
import TestDatabase
import Values

@testable import Sync

/// A catalog with feeds, its sequencer and its sync reader.
struct SyncSite {
    let connection: PostgresConnection
    let reader: SyncReader

    /// Runs a body with a catalog that a script has filled.
    static func run(_ script: String, _ body: @escaping @Sendable (SyncSite) async throws -> Void) async throws {
        try await withConnection { connection in
            try await connection.runScript(
                "rows", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + script, until: .soon)
            let reader = SyncReader(PostgresSession(connection, within: .seconds(60)))
            try await body(SyncSite(connection: connection, reader: reader))
        }
    }

    func sequencer(
        maxTraced: Int = 20_000, maxEdits: Int = 10_000, maxImported: Int = 500, maxDue: Int = 8
    ) throws -> Sequencer {
        Sequencer(
            ruleTime: .seconds(30), timeForRules: .seconds(60), maxTraced: maxTraced, maxEdits: maxEdits, maxImported: maxImported,
            maxDue: maxDue, hashedBy: Digest.sha256)
    }

    /// Returns a reader with custom limits.
    func reader(limits: SyncReader.Limits) throws -> SyncReader {
        SyncReader(limits: limits, PostgresSession(connection, within: .seconds(60)))
    }

    var session: PostgresSession {
        PostgresSession(connection, within: .seconds(60))
    }

    func sql(_ script: String) async throws { try await connection.runScript("change", script, until: .soon) }

    func rows(_ sql: String) async throws -> [String] {
        try await connection.rows(of: PostgresQuery("rows", sql), as: String.self, until: .soon)
    }

    /// Returns the open storefronts of the catalog, published or not.
    func storefronts() async throws -> [String: Storefront] {
        let storefronts = try await CatalogReader(at: .epoch, session).storefronts()
        return Dictionary(uniqueKeysWithValues: storefronts.map { ($0.key, $0) })
    }

    /// Saves a document of a feed and publishes it immediately.
    func publish(_ document: String) async throws {
        let feed = try FeedDocument(parsing: Array(document.utf8))
        let query = PostgresQuery(
            "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, 'main', $2::text))::text", feed.key.text,
            String(decoding: feed.canonical(), as: UTF8.self))
        _ = try await connection.rows(of: query, as: String.self, until: .soon)
    }

    /// Returns the expected content of a scope, computed naively from the items of the catalog and the published feeds.
    func expected(_ scope: SyncScope, hoursAhead: Int) async throws -> [SyncClient.Key: String] {
        let (feeds, hasLists): ([String]?, Bool) =
            switch scope.content {
            case .catalog: (nil, false)
            case .feeds(let feeds, let hasLists): (feeds, hasLists)
            }
        let sql = ExpectedScope.query(storefront: scope.storefront, feeds: feeds, hasLists: hasLists, hoursAhead: hoursAhead)
        return Dictionary(
            uniqueKeysWithValues: try await rows(sql).map { row in
                let parts = row.split(separator: " ").map(String.init)
                return (SyncClient.Key(kind: parts[0], id: parts[1]), parts[2])
            })
    }
}
