internal import Access
internal import Catalog
internal import CatalogImport
internal import Feeds
internal import HTTP
internal import Postgres
internal import Security

/// What a curator works with, in one transaction.
struct AdminTransaction {
    let call: AdminRequest
    let connection: PostgresConnection

    var run: CatalogReader.Run {
        { [connection, deadline = call.call.deadline] queries throws(PostgresError) in try await connection.run(queries, until: deadline) }
    }

    var service: AdminService { call.service }

    var store: FeedStore { FeedStore(service.feeds, run: run) }
    var tokens: TokenStore { TokenStore(service.curating, hashedBy: Digest.sha256, run: run) }
    var replies: IdempotencyStore { IdempotencyStore(service.curating, run: run) }
    var audit: AuditStore { AuditStore(service.curating, run: run) }

    func publisher() throws -> FeedPublisher {
        try FeedPublisher(
            service.library, on: service.screens, ruleTime: service.ruleTime, timeForRules: service.timeForRules, hashedBy: Digest.sha256,
            run: run)
    }

    func rehearsal() throws -> PreviewComposer {
        let placeholders = service.placeholders
        return try PreviewComposer(
            service.library, ruleTime: service.ruleTime, timeForRules: service.timeForRules, placeholder: { placeholders[$0] },
            hashedBy: Digest.sha256, run: run)
    }

    func shelf() throws -> ItemStore {
        try ItemStore(service.library, ImportConnection(within: connection, until: call.call.deadline))
    }

    func reader() -> CatalogReader { CatalogReader(service.catalog.queries, at: service.catalog.now(), run: run) }

    /// Writes down what was done.
    func record(_ change: AuditedChange) async throws {
        try await audit.record(change, by: call.curator, request: call.call.id.text)
    }
}
