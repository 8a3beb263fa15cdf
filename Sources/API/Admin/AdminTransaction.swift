internal import Access
internal import Catalog
internal import CatalogImport
internal import HTTP
internal import Postgres
internal import Publishing
internal import Security

/// The stores that a curator's request works with, in one transaction.
struct AdminTransaction {
    let context: RequestContext
    let curator: Principal
    let service: AdminService
    let session: PostgresSession

    var feeds: FeedStore { FeedStore(session) }
    var items: ItemStore { ItemStore(session) }
    var catalog: CatalogReader { CatalogReader(at: service.catalog.now(), session) }
    var tokens: TokenStore { TokenStore(hashedBy: Digest.sha256, session) }
    var replies: IdempotencyStore { IdempotencyStore(session) }
    var audit: AuditStore { AuditStore(session) }

    var publisher: FeedPublisher {
        FeedPublisher(
            on: service.screens, ruleTime: service.ruleTime, timeForRules: service.timeForRules, hashedBy: Digest.sha256, session)
    }

    var previewComposer: PreviewComposer {
        PreviewComposer(
            ruleTime: service.ruleTime, timeForRules: service.timeForRules, placeholder: { [service] in service.placeholders[$0] },
            hashedBy: Digest.sha256, session)
    }

    /// Writes down what was done.
    func record(_ change: AuditedChange) async throws {
        try await audit.record(change, by: curator, request: context.id.text)
    }
}
