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

    var store: FeedStore { FeedStore(run: run) }
    var tokens: TokenStore { TokenStore(hashedBy: Digest.sha256, run: run) }
    var replies: IdempotencyStore { IdempotencyStore(run: run) }
    var audit: AuditStore { AuditStore(run: run) }

    func publisher() throws -> FeedPublisher {
        FeedPublisher(
            on: service.screens, ruleTime: service.ruleTime, timeForRules: service.timeForRules, hashedBy: Digest.sha256,
            run: run)
    }

    func rehearsal() throws -> PreviewComposer {
        let placeholders = service.placeholders
        return PreviewComposer(
            ruleTime: service.ruleTime, timeForRules: service.timeForRules, placeholder: { placeholders[$0] },
            hashedBy: Digest.sha256, run: run)
    }

    func shelf() throws -> ItemStore {
        ItemStore(ImportConnection(within: connection, until: call.call.deadline))
    }

    func reader() -> CatalogReader { CatalogReader(at: service.catalog.now(), run: run) }

    /// Writes down what was done.
    func record(_ change: AuditedChange) async throws {
        try await audit.record(change, by: call.curator, request: call.call.id.text)
    }
}
