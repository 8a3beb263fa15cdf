import Access
import Catalog
import CatalogImport
import EventLoop
import Feeds
import HTTPMessages
import Host
import Items
import JSON
import Layout
import Postgres
import Publishing
import ScreenFiles
import Security
import Telemetry
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP
@testable import Server

/// The admin routes over a test's own database, configured as in a server.
struct AdminSite: Sendable {
    static let today = #"""
        {"format": 2, "feed":"today","title":{"en":"Today","es":"Hoy","de":"Heute","ar":"اليوم"},"sections":[
          {"key":"apps","layout":{"list":{}},"cell":"row","pins":[{"slot":1,"item":"topapp:app-9"}],
           "rule":{"kind":"topApp"},"size":5}]}
        """#

    static let catalog = """
        SELECT pg_temp.top_app('app-' || n, format('{"en": "App %s", "de": "Programm %s", "ar": "App %s", "es": "App %s"}', n, n, n, n)::jsonb,
            rating => 5 - n / 10.0, ratings => 100) FROM generate_series(1, 9) AS n;
        SELECT vitrine.derive_items(1000);
        """

    static let client = Request.Client(address: "192.0.2.1", isEncrypted: false)

    let pool: PostgresPool
    let service: AdminService
    let application: Application
    let routes: [Route]
    let metrics: Metrics
    let imports: ImportWorker
    /// The text of all log lines.
    let log: Locked<String>

    /// Runs a body with a catalog of nine TopApps for iOS. Unless `servesAll` is true, only the platforms that run them are served.
    static func run(
        servesAll: Bool = false, throttle: FailedAuthLimiter.Limits = .init(failures: .max), timeForPlans: Duration = .seconds(30),
        comparedTogether: Int = 5, files: FileLimits = FileLimits(), timeout: Duration = .seconds(20), ruleTime: Duration = .seconds(30),
        _ body: @escaping @Sendable (AdminSite) async throws -> Void
    ) async throws {
        try await withPool(maximum: 6) { pool in
            try await pool.withConnection(until: .soon) { connection in
                let script = CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + (servesAll ? "" : CatalogRows.served)
                try await connection.runScript("rows", script + catalog, until: .soon)
            }
            let site = try AdminSite(
                pool, try ScratchDatabase.current.configuration, throttle, timeForPlans, comparedTogether, files, timeout: timeout,
                ruleTime: ruleTime)
            try await withThrowingTaskGroup { group in
                group.addTask(executorPreference: pool.loop) { await site.imports.run(on: pool.loop) }
                defer { group.cancelAll() }
                try await body(site)
            }
        }
    }

    /// Creates the routes over a database that is already set up.
    init(
        _ pool: PostgresPool, _ configuration: PostgresConfiguration, _ limits: FailedAuthLimiter.Limits = .init(failures: .max),
        _ timeForPlans: Duration = .seconds(30), _ comparedTogether: Int = 5, _ files: FileLimits = FileLimits(),
        timeout: Duration = .seconds(20), ruleTime: Duration = .seconds(30)
    ) throws {
        self.pool = pool
        let authMetrics = AuthMetrics()
        let catalog = CatalogService(pool: { _ in pool }, now: { Timestamp(clamping: SystemInfo.wallClock) })
        imports = ImportWorker(configuration, limits: files)
        service = AdminService(
            catalog, screens: try ScreenMatrix.builtIn(),
            access: Authenticator(authMetrics, FailedAuthLimiter(limits)), imports: imports,
            timeout: timeout, ruleTime: ruleTime, timeForPlans: timeForPlans, timeForComparisons: timeForPlans,
            comparedTogether: comparedTogether)
        routes = Route.admin(service)
        let requests = RequestMetrics()
        metrics = Metrics(requests: requests, counters: { ServerCounters() }, pools: { [] }, loops: { [] }, access: authMetrics)
        let log = Locked("")
        self.log = log
        let lines = [LogFormat.text, .json].map { format in
            Log(format, from: .debug, isColored: false) { line in log.withLock { $0 += String(decoding: line, as: UTF8.self) } }.sink
        }
        let telemetry = Telemetry(now: { .epoch }, sinks: lines, from: .debug)
        application = Application(routes, middleware: .ofServe(requests, telemetry), metrics: requests) { error, id in
            log.withLock { $0 += "\(error) \(id.text)\n" }
        }
    }

    /// Creates a token in the database.
    func token(_ scope: TokenScope, _ name: String? = nil, lifetime: Duration? = nil) async throws -> AccessToken {
        let token = AccessToken(random: (0..<AccessToken.randomSize).map { _ in UInt8.random(in: .min ... .max) })
        _ = try await TokenStore(hashedBy: Digest.sha256, PostgresSession(pool, within: .seconds(60))).create(
            token, name: name ?? scope.rawValue, scope: scope, lifetime: lifetime)
        return token
    }

    func send(
        _ line: String, _ token: AccessToken? = nil, _ fields: [String] = [], body: String? = nil, from address: String = "192.0.2.1",
        until deadline: Deadline = .soon
    ) async throws -> Response {
        let authorization = token.map { ["Authorization: Bearer \($0.secret.exposed)"] } ?? []
        let length = body.map { ["Content-Length: \($0.utf8.count)"] } ?? []
        let bytes = Array((body ?? "").utf8)
        let head = try head(line, authorization + fields + length)
        return try await send(
            Request(
                head: head, body: bytes, upload: Upload(of: bytes), peer: .init(address: address, isEncrypted: false), deadline: deadline))
    }

    func send(_ request: Request) async throws -> Response { try await application.send(request, on: pool.loop) }

    /// Sends a request and requires the status of its response.
    @discardableResult
    func expect(
        _ status: Status, _ line: String, _ token: AccessToken?, _ fields: [String] = [], body: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> Response {
        let response = try await send(line, token, fields, body: body)
        #expect(response.status == status, "\(line): \(response.text)", sourceLocation: location)
        #expect(response[.cacheControl] == ["no-store"], sourceLocation: location)
        return response
    }

    func rows(_ sql: String) async throws -> [String] {
        try await pool.rows(of: PostgresQuery("rows", sql), as: String.self, until: .soon)
    }

    func sql(_ script: String) async throws {
        try await pool.withConnection(until: .soon) { connection in try await connection.runScript("change", script, until: .soon) }
    }
}

extension Response {
    var json: JSONNode {
        get throws { try JSONDocument(parsing: Array(text.utf8), limits: .ownOutput).root }
    }

    var tag: String { self[.etag].first ?? "" }

    var code: String? {
        get throws { try json["code"]?.string }
    }
}

extension JSONNode {
    /// The first element of a list.
    var first: JSONNode? { elements.first { _ in true } }
}
