import Catalog
import CatalogImport
import EventLoop
import Feeds
import HTTPMessages
import Host
import Items
import Layout
import Postgres
import Publishing
import SQLFiles
import ScreenFiles
import Security
import Sync
import TestDatabase
import Testing
import Values

@testable import API
@testable import HTTP

/// The routes of pages and sync over the sample catalog, with a sequencer that runs on request.
struct SampleSite: Sendable {
    private let pool: PostgresPool
    private let pages: PageService
    private let sync: SyncService
    private let application: Application
    private let sequencer = Locked(Sequencer(ruleTime: .seconds(30), hashedBy: Digest.sha256))

    /// Runs a body with a site that has no feeds yet.
    static func run(_ body: @escaping @Sendable (SampleSite) async throws -> Void) async throws {
        try await withPool { pool in
            try await pool.withConnection(until: .never) { connection in try await load(PostgresSession(connection)) }
            try await body(SampleSite(pool))
        }
    }

    private init(_ pool: PostgresPool) throws {
        self.pool = pool
        pages = PageService(screens: try ScreenMatrix.builtIn(), now: { .epoch })
        sync = try ContractSite.sync(pages, pool, key: 1)
        application = Application(Route.pages(pages) + Route.sync(sync))
    }

    private static func load(_ session: PostgresSession) async throws {
        var vocabulary = try await Importer.vocabulary(session)
        vocabulary.timeZones = try await Importer.timeZones(session)
        var files = SQLFiles.sample.map(\.bytes)[...]
        var chunker = FileChunker(CatalogFileReader(.jsonl, vocabulary: vocabulary, digest: Digest.sha256), size: 10_000) {
            files.popFirst()?[...] ?? []
        }
        var options = ImportOptions()
        options.maxRejects = 0
        let importer = Importer(session, options, vocabulary: vocabulary) { _ in }
        _ = try await importer.run { try chunker.next() }
        try await importer.derive()
    }

    /// Creates the experiment that the sample feeds name. It is a draft, so no client sees the section of `pairs`.
    func createExperiment() async throws {
        try await sql(
            #"""
            INSERT INTO vitrine.experiments (key, salt, arms, default_arm)
            VALUES ('weekend', 'weekend', '{"control": [[50, 100]], "pairs": [[0, 50]]}', 'control')
            """#)
    }

    /// Publishes a document on the base, and updates the pages.
    func publish(_ document: FeedDocument) async throws {
        let query = PostgresQuery(
            "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, 'main', $2::text))", document.key.text,
            String(decoding: document.canonical(), as: UTF8.self))
        let before = sequencer.withLock { $0 }
        let after = try await pool.withConnection(until: .never) { connection in
            var sequencer = before
            let session = PostgresSession(connection, within: .seconds(60))
            _ = try await connection.run(query, until: .soon)
            _ = try await sequencer.drain(session)
            _ = try await pages.refresh(published: sync.publish, session)
            return sequencer
        }
        sequencer.withLock { $0 = after }
    }

    /// Publishes all changes at a time by a clock that is ahead, and updates the pages.
    func update(ahead: Duration = .zero) async throws {
        let before = sequencer.withLock { $0 }
        let after = try await pool.withConnection(until: .never) { connection in
            var sequencer = before
            sequencer.clockAhead = ahead
            let session = PostgresSession(connection, within: .seconds(60))
            _ = try await sequencer.drain(session)
            _ = try await pages.refresh(published: sync.publish, session)
            return sequencer
        }
        sequencer.withLock { $0 = after }
    }

    /// Returns a sync cursor with the version of another one. All other bytes except for the signature stay.
    func cursor(_ text: String, withVersionOf other: String, in scope: SyncScope) throws -> String {
        let (cursor, version) = (try sync.codec.cursor(of: text, in: scope), try sync.codec.cursor(of: other, in: scope).version)
        return sync.codec.text(
            of: SyncCursor(
                epoch: cursor.epoch, version: version, base: cursor.base, received: cursor.received,
                storefrontVersion: cursor.storefrontVersion), in: scope)
    }

    /// Runs a body in a read-only transaction with a composer of previews and the storefronts of the catalog.
    func previewing<Result: Sendable>(_ body: (PreviewComposer, [Storefront]) async throws -> Result) async throws -> Result {
        try await pool.withConnection(until: .never) { connection in
            let session = PostgresSession(connection, within: .seconds(600))
            let storefronts = try await CatalogReader(at: .epoch, session).storefronts()
            return try await session.transaction(TransactionOptions(isolation: .repeatableRead, isReadOnly: true)) { session in
                try await body(PreviewComposer(ruleTime: .seconds(30), hashedBy: Digest.sha256, session), storefronts)
            }
        }
    }

    func rows(_ sql: String) async throws -> [String] {
        try await pool.withConnection(until: .soon) { connection in
            try await connection.rows(of: PostgresQuery("rows", sql), as: String.self, until: .soon)
        }
    }

    func sql(_ script: String) async throws {
        try await pool.withConnection(until: .soon) { connection in try await connection.runScript("change", script, until: .soon) }
    }

    func send(_ line: String, _ fields: [String] = []) async throws -> Response {
        try await application.send(try request(line, fields), on: pool.loop)
    }

    /// Returns a response without the comparison with the OpenAPI document, which takes longer than most requests.
    func respond(_ line: String, _ fields: [String] = []) async throws -> Response {
        switch application.service.respond(try request(line, fields)) {
        case .now(let response): response
        case .later(_, let work), .waiting(_, let work): await work(pool.loop)
        }
    }

    private func request(_ line: String, _ fields: [String]) throws -> Request {
        Request(head: try head(line, fields), body: [], peer: AdminSite.client, deadline: .soon)
    }
}
