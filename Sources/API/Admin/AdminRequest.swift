internal import Access
internal import EventLoop
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Postgres
internal import Publishing
internal import Security

/// An authenticated admin request.
struct AdminRequest: Sendable {
    private(set) var context: RequestContext
    let curator: Principal
    let service: AdminService
    let pool: PostgresPool

    /// Throws if the request is not authenticated or its token lacks the scope.
    init(admitting context: RequestContext, needing scope: TokenScope, _ service: AdminService, _ pool: PostgresPool) async throws {
        curator = try await service.access.curator(of: context, needing: scope, PostgresSession(pool, until: context.deadline))
        self.context = context
        self.service = service
        self.pool = pool
    }

    /// Returns the request with its whole body. The timeout of the response starts when the body is complete.
    func collectingBody() async throws(Problem) -> AdminRequest {
        guard context.request.upload != nil else { return self }
        var admitted = self
        admitted.context = try await context.collectingBody().lasting(until: .after(service.timeout))
        return admitted
    }

    func feed() throws(Problem) -> FeedKey { try context.parameters.value("feed") { FeedKey($0) } }

    /// Runs a body that reads one snapshot of the database.
    func reading<Result>(_ body: (AdminTransaction) async throws -> Result) async throws -> Result {
        let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        return try await session.transaction(options) { session in try await body(transaction(session)) }
    }

    /// Runs a change in one transaction, together with its audit entry and the response that is stored for its
    /// idempotency key.
    func changing(_ body: @Sendable (AdminTransaction) async throws -> AdminResponse) async throws -> Response {
        guard let key = try idempotencyKey() else {
            return try await session.transaction { session in try await body(transaction(session)) }.response
        }
        let hash = requestHash
        return try await session.transaction { session in
            let transaction = transaction(session)
            switch try await transaction.replies.acquire(key, of: curator) {
            case .inFlight: throw Problem.idempotencyKeyInUse
            case .stored(let reply):
                guard reply.requestHash == hash else { throw Problem.idempotencyKeyReused }
                return AdminResponse(reply).response
            case .free:
                try await transaction.replies.mark()
                let response = try await respond(transaction, body)
                try await transaction.replies.keep(response.reply(to: hash), under: key, of: curator)
                return response.response
            }
        }
    }

    /// Returns the response of the change, including a rejection. Throws errors that are not stored, because the next
    /// attempt may succeed.
    private func respond(_ transaction: AdminTransaction, _ body: @Sendable (AdminTransaction) async throws -> AdminResponse) async throws
        -> AdminResponse
    {
        do {
            return try await Problem.translating { try await body(transaction) }
        } catch let problem as Problem where Self.isKept(problem.status) {
            try await transaction.replies.cancel()
            return AdminResponse(problem, id: context.id)
        }
    }

    /// Returns whether a response is stored for its idempotency key. Server failures and rejections that do not depend
    /// on the change are not: the next token may have the scope.
    private static func isKept(_ status: Status) -> Bool {
        switch status {
        case .unauthorized, .forbidden, .preconditionRequired, .tooManyRequests: false
        default: (400..<500).contains(status.rawValue)
        }
    }

    private var session: PostgresSession { PostgresSession(pool, until: context.deadline) }

    private func transaction(_ session: PostgresSession) -> AdminTransaction {
        AdminTransaction(context: context, curator: curator, service: service, session: session)
    }

    private func idempotencyKey() throws(Problem) -> String? {
        guard context.head.fields.contains("idempotency-key") else { return nil }
        guard let key = context.head.fields["idempotency-key"], 1...128 ~= key.utf8.count, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Problem(
                .badRequest, code: "invalidIdempotencyKey",
                detail: "The Idempotency-Key is invalid. Use 1 to 128 visible ASCII characters without spaces.")
        }
        return key
    }

    /// The hash of everything that distinguishes one request from another.
    private var requestHash: [UInt8] {
        let head = context.head
        let query = head.target.query.items.map { "\($0.name.utf8.count) \($0.name) \($0.value.utf8.count) \($0.value)" }
        let conditions = [head.fields.list(.ifMatch) ?? "", head.fields.list(.ifNoneMatch) ?? ""]
        let parts = ["\(head.method)", head.target.path] + query + conditions
        return Digest.sha256(Array((parts.joined(separator: "\n") + "\n\n").utf8) + context.request.body)
    }
}

extension Problem {
    fileprivate static var idempotencyKeyInUse: Problem {
        var problem = Problem(
            .conflict, code: "idempotencyKeyInUse", detail: "Another request with this Idempotency-Key is in progress. Try again later.")
        problem.retryAfter = 1
        return problem
    }

    fileprivate static var idempotencyKeyReused: Problem {
        Problem(
            .unprocessableContent, code: "idempotencyKeyReused",
            detail: "The Idempotency-Key was used for another request in the last 24 hours. Use another key.")
    }
}

extension AdminRequest {
    /// Saves the document that `make` derives from a draft as the newest revision of its line, whatever its review
    /// finds.
    func saving(
        _ feed: FeedKey, on line: LineKey, creates: Bool = false, _ make: @Sendable (AdminTransaction, Draft?) throws -> FeedDocument
    ) async throws -> Response {
        let condition = try EditPrecondition(of: self, creates: creates)
        return try await changing { transaction in
            let seen = try await transaction.draft(of: feed, on: line)
            try condition.check(try seen?.state)
            let document = try make(transaction, seen)
            // Before the feed is locked: a review may take as long as its rules.
            let findings = try await transaction.previewComposer.review(document, on: service.screens)
            try await transaction.feeds.make(feed)
            let before = try await transaction.draft(of: feed, on: line)
            try condition.check(try before?.state)
            // Even with If-Match: *, a document that was made from one draft must not replace another draft.
            guard before?.revision == seen?.revision else { throw Problem.stale(try before?.state) }
            let (number, isNew) = try await transaction.feeds.save(document, on: line)
            var after = try await transaction.revision(number, of: feed)
            if isNew {
                try await transaction.record(
                    AuditedChange(
                        .saveDraft, feed: feed.text, of: "feeds/\(feed)/draft?line=\(line)", from: try before?.revision.json(),
                        to: try after.revision.json()))
            }
            after.findings = findings
            let location = "/admin/v1/feeds/\(feed)/revisions/\(number)"
            let state = try after.state
            return AdminResponse(before == nil ? .created : .ok, state.document, tag: state.tag, location: isNew ? location : nil)
        }
    }
}
