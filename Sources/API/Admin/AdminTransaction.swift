internal import Access
internal import Catalog
internal import CatalogImport
internal import HTTP
internal import Postgres
internal import Publishing
internal import Security

/// What a curator works with, in one transaction.
struct AdminTransaction {
    let call: AdminRequest
    let session: PostgresSession

    var service: AdminService { call.service }

    var store: FeedStore { FeedStore(session) }
    var tokens: TokenStore { TokenStore(hashedBy: Digest.sha256, session) }
    var replies: IdempotencyStore { IdempotencyStore(session) }
    var audit: AuditStore { AuditStore(session) }

    func publisher() -> FeedPublisher {
        FeedPublisher(
            on: service.screens, ruleTime: service.ruleTime, timeForRules: service.timeForRules, hashedBy: Digest.sha256,
            session)
    }

    func rehearsal() -> PreviewComposer {
        let placeholders = service.placeholders
        return PreviewComposer(
            ruleTime: service.ruleTime, timeForRules: service.timeForRules, placeholder: { placeholders[$0] },
            hashedBy: Digest.sha256, session)
    }

    func shelf() -> ItemStore {
        ItemStore(session)
    }

    func reader() -> CatalogReader { CatalogReader(at: service.catalog.now(), session) }

    /// Writes down what was done.
    func record(_ change: AuditedChange) async throws {
        try await audit.record(change, by: call.curator, request: call.call.id.text)
    }
}
