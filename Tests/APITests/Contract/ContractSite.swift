import Access
import Catalog
import EventLoop
import HTTPMessages
import Host
import Items
import JSON
import Layout
import Postgres
import Publishing
import ScreenFiles
import Security
import Sync
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

/// All routes over one database, in which every problem can be provoked.
struct ContractSite: Sendable {
    let admin: AdminSite
    /// A token with all scopes.
    let anna: AccessToken
    let application: Application
    let pages: PageService
    let sync: SyncService
    private let sequencer: Locked<Sequencer>

    static let feed = "/admin/v1/feeds/today"

    init(_ admin: AdminSite) async throws {
        self.admin = admin
        anna = try await admin.token(.admin, "anna")
        pages = PageService(
            screens: try ScreenMatrix.builtIn(), now: { .epoch })
        sync = try Self.sync(pages, admin.pool, key: 1)
        application = Application(Route.catalog(admin.service.catalog) + Route.pages(pages) + Route.sync(sync))
        sequencer = Locked(
            Sequencer(ruleTime: .seconds(30), hashedBy: Digest.sha256))
        try await admin.expect(.created, "PUT \(Self.feed)/draft", anna, ["If-None-Match: *"], body: AdminSite.today)
        try await publish(#"{"revision":1}"#)
    }

    static func sync(
        _ pages: PageService, _ pool: PostgresPool, key: UInt8, waiters: Int = 10
    ) throws -> SyncService {
        let code = try #require(HMACKey(Array(repeating: key, count: 32)))
        let codec = CursorCodec([.init(id: key) { code.code(of: $0) }], areEqual: { HMACKey.areEqual($0, $1) })
        return SyncService(pages: pages, codec: codec, limits: .init(maxWaiting: waiters), pool: { _ in pool })
    }

    /// Returns the sync routes of another server, with its own cursor key and limit of waiters.
    func otherSync(key: UInt8 = 1, waiters: Int = 10) throws -> Application {
        Application(Route.sync(try Self.sync(pages, admin.pool, key: key, waiters: waiters)))
    }

    /// Returns the routes of images of a server that draws no further image.
    func busyImages() -> Application {
        Application([.images(ImageService(on: Painters([], relay: admin.pool.loop), maxWaiting: 0))])
    }

    /// Returns the catalog routes of a server that starts after the key of its cursors was replaced.
    func afterKeyChange() async throws -> Application {
        try await admin.sql("UPDATE vitrine.secrets SET cursor_key = sha256('another key')")
        let pool = admin.pool
        return Application(
            Route.catalog(CatalogService(pool: { _ in pool }, now: { Timestamp(clamping: SystemInfo.wallClock) })))
    }

    /// Returns the page routes of a server that has not read its pages yet.
    func unreadPages() throws -> Application {
        Application(
            Route.pages(
                PageService(
                    screens: try ScreenMatrix.builtIn(), now: { .epoch })))
    }

    /// Returns the admin routes of a server without imports.
    func withoutImports() throws -> Application {
        let access = Authenticator(AuthMetrics(), FailedAuthLimiter(.init(failures: .max)))
        return Application(
            Route.admin(AdminService(admin.service.catalog, screens: ScreenMatrix(screens: []), access: access)))
    }

    func get(_ path: String, of other: Application? = nil) async throws -> Response { try await send("GET \(path)", of: other) }

    func send(_ line: String, _ fields: [String] = [], body: String = "", of other: Application? = nil) async throws -> Response {
        let bytes = Array(body.utf8)
        let request = Request(
            head: try head(line, fields), body: bytes, upload: Upload(of: bytes), peer: AdminSite.client, deadline: .soon)
        return try await (other ?? application).send(request, on: admin.pool.loop)
    }

    /// Sends a request with the token that has all scopes.
    func curate(_ line: String, _ fields: [String] = [], body: String? = nil) async throws -> Response {
        try await admin.send(line, anna, fields, body: body)
    }

    /// Returns the response to a request that fails before it reaches a route.
    func refuse(_ error: RequestError, _ line: String) throws -> Response {
        let head = try head(line)
        let application = line.contains("/admin/") ? admin.application : application
        let response = application.service.refuse(error, head)
        try Contract.judge(response, to: head, of: application)
        return response
    }

    /// Publishes a revision of `today`, and updates the pages.
    @discardableResult
    func publish(_ order: String) async throws -> Response {
        let tag = try await curate("GET \(Self.feed)/publications").tag
        let response = try await curate("POST \(Self.feed)/publications", ["If-Match: \(tag)"], body: order)
        if response.status == .created { try await update() }
        return response
    }

    /// Saves a revision of `today`, publishes it, and updates the pages.
    func publish(document: String) async throws {
        let draft = try await curate("PUT \(Self.feed)/draft", ["If-Match: *"], body: document)
        let revision = try #require(try draft.json["revision"]?.integer, "\(draft.text)")
        let response = try await publish(#"{"revision":\#(revision)}"#)
        #expect(response.status == .created, "\(response.text)")
    }

    /// Publishes all changes in one drain, and updates the pages.
    @discardableResult
    func update(clockAhead: Duration = .zero) async throws -> Sequencer.Report {
        let before = sequencer.withLock { $0 }
        let (after, report) = try await admin.pool.withConnection(until: .soon) { connection in
            var drained = before
            drained.clockAhead = clockAhead
            let session = PostgresSession(connection, within: .seconds(60))
            let report = try await drained.drain(session)
            _ = try await pages.refresh(published: sync.publish, PostgresSession(connection, within: .seconds(60)))
            return (drained, report)
        }
        sequencer.withLock { $0 = after }
        return report
    }

    /// Runs a body while the database rejects each new row of a table with the given SQLSTATE and constraint.
    func refusing(
        _ table: String, _ state: String, _ constraint: String = "", _ body: () async throws -> Response
    ) async throws -> Response {
        try await admin.sql(
            """
            CREATE OR REPLACE FUNCTION vitrine.refuse() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN RAISE EXCEPTION USING ERRCODE = TG_ARGV[0], CONSTRAINT = TG_ARGV[1], MESSAGE = ''refused''; END';
            CREATE TRIGGER refuse BEFORE INSERT ON vitrine.\(table) FOR EACH ROW EXECUTE FUNCTION vitrine.refuse('\(state)', '\(constraint)');
            """)
        let response = try await body()
        try await admin.sql("DROP TRIGGER refuse ON vitrine.\(table)")
        return response
    }
}
