import Feeds
import HTTPMessages
import Host
import JSON
import Layout
import Postgres
import Publishing
import ScreenFiles
import Security
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

/// The routes of pages over a test's own database, with a sequencer that runs on request.
struct PageSite: Sendable {
    /// Thirty apps and a meal, in two sections.
    private static let catalog = """
        SELECT pg_temp.top_app('app-' || n, format('{"en": "App %s", "es": "Aplicación %s", "de": "Programm %s"}', n, n, n)::jsonb,
            rating => 5 - n / 10.0, ratings => 100) FROM generate_series(1, 30) AS n;
        SELECT pg_temp.food_app('ramen', '{"en": "Ramen"}', rating => 4, ratings => 10);
        SELECT vitrine.derive_items(1000);
        """

    static let today = #"""
        {"format": 2, "feed": "today", "title": {"en": "Today", "es": "Hoy"}, "sections": [
          {"key": "apps", "title": {"en": "Apps"}, "layout": {"carousel": {"rows": 3, "width": 0.93, "paging": "groupPaging"}}, "cell": "appRow",
           "rule": {"kind": "topApp"}, "eligibility": "none", "badges": [{"badge": "new", "on": ["topapp:app-2"]}], "continues": true,
           "seeAll": {"title": {"en": "All apps"}, "layout": {"list": {}}}, "skeleton": 6},
          {"key": "food", "layout": {"preset": "zoom-carousel"}, "cell": "foodCard", "rule": {"kind": "foodApp"},
           "target": {"platforms": ["ios"], "appVersion": ">=3.0"}}]}
        """#

    let connection: PostgresConnection
    let service: PageService
    let application: Application
    let sequencer: Locked<Sequencer>

    func send(_ line: String, _ fields: [String] = []) async throws -> Response { try await application.send(line, fields) }

    func json(_ line: String, _ fields: [String] = []) async throws -> JSONDocument {
        let response = try await send(line, fields)
        #expect(response.status == .ok, "\(line): \(response.text)")
        return try JSONDocument(parsing: Array(response.text.utf8), limits: .page)
    }

    func publish(_ document: String) async throws {
        let feed = try FeedDocument(parsing: Array(document.utf8))
        let query = PostgresQuery(
            "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, 'main', $2::text))", feed.key.text,
            String(decoding: feed.canonical(), as: UTF8.self))
        _ = try await connection.run(query, until: .soon)
        try await update()
    }

    func sql(_ script: String) async throws {
        try await connection.runScript("change", script, until: .soon)
        try await update()
    }

    /// Publishes all changes, and reads them.
    func update() async throws {
        var drained = sequencer.withLock { $0 }
        let session = PostgresSession(connection, within: .seconds(60))
        while try await !drained.drain(session).isComplete {}
        let retained = drained
        sequencer.withLock { $0 = retained }
        _ = try await service.refresh(PostgresSession(connection, within: .seconds(60)))
    }

    static func run(
        _ documents: [String] = [today], maxTraced: Int = 5_000, now: @escaping @Sendable () -> Timestamp = { .epoch },
        _ body: @escaping @Sendable (PageSite) async throws -> Void
    ) async throws {
        let sequencer = Sequencer(ruleTime: .seconds(30), hashedBy: Digest.sha256)
        let service = PageService(screens: try ScreenMatrix.builtIn(), maxTraced: maxTraced, now: now)
        try await withConnection { connection in
            let application = Application(Route.pages(service))
            let notYet = try await application.send("GET /v1/us/feeds/today")
            #expect(notYet.status == .unavailable)
            try await connection.runScript(
                "rows", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + catalog, until: .soon)
            let site = PageSite(connection: connection, service: service, application: application, sequencer: Locked(sequencer))
            for document in documents { try await site.publish(document) }
            try await body(site)
        }
    }
}
