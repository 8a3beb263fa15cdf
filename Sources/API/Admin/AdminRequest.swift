internal import Access
internal import Catalog
internal import EventLoop
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import Postgres
internal import Security

/// A request of somebody who was let in.
struct AdminRequest: Sendable {
    private(set) var call: RoutedRequest
    let curator: Principal
    let service: AdminService
    let pool: PostgresPool

    /// Throws where nobody is let in.
    init(admitting call: RoutedRequest, needing scope: TokenScope, _ service: AdminService, _ pool: PostgresPool) async throws {
        curator = try await service.access.curator(of: call, needing: scope, PostgresSession(pool, until: call.deadline))
        self.call = call
        self.service = service
        self.pool = pool
    }

    /// The same with the whole body, and the time for its answer from then on.
    func collectingBody() async throws(Problem) -> AdminRequest {
        guard call.request.upload != nil else { return self }
        var admitted = self
        admitted.call = try await call.collectingBody().lasting(until: .after(service.patience))
        return admitted
    }

    func feed() throws(Problem) -> FeedKey { try call.parameters.value("key") { FeedKey($0) } }

    /// Looks at one moment of the database.
    func reading<Answer>(_ body: (AdminTransaction) async throws -> Answer) async throws -> Answer {
        let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        return try await session.transaction(options) { session in try await body(desk(session)) }
    }

    /// Changes something, in one transaction with its row in the audit and the answer that is kept for the same key.
    func changing(_ body: @Sendable (AdminTransaction) async throws -> AdminResponse) async throws -> Response {
        guard let key = try idempotencyKey() else {
            return try await session.transaction { session in try await body(desk(session)) }.response
        }
        let hash = requestHash
        return try await session.transaction { session in
            let desk = desk(session)
            switch try await desk.replies.take(key, of: curator) {
            case .inFlight: throw Problem.keyInFlight
            case .answered(let reply):
                guard reply.requestHash == hash else { throw Problem.keyReused }
                return AdminResponse(reply).response
            case .free:
                try await desk.replies.mark()
                let answer = try await answer(desk, body)
                try await desk.replies.keep(answer.reply(to: hash), under: key, of: curator)
                return answer.response
            }
        }
    }

    /// What it was answered, also where that is a refusal; throws what is not kept, because the next attempt may succeed.
    private func answer(_ desk: AdminTransaction, _ body: @Sendable (AdminTransaction) async throws -> AdminResponse) async throws
        -> AdminResponse
    {
        do {
            return try await Problem.translating { try await body(desk) }
        } catch let problem as Problem where Self.isKept(problem.status) {
            try await desk.replies.giveUp()
            return AdminResponse(problem, id: call.id)
        }
    }

    /// A failure of the server and a refusal that does not depend on the change are not kept: the next token may have the scope.
    private static func isKept(_ status: Status) -> Bool {
        switch status {
        case .unauthorized, .forbidden, .preconditionRequired, .tooManyRequests: false
        default: (400..<500).contains(status.rawValue)
        }
    }

    private var session: PostgresSession { PostgresSession(pool, until: call.deadline) }

    private func desk(_ session: PostgresSession) -> AdminTransaction { AdminTransaction(call: self, session: session) }

    private func idempotencyKey() throws(Problem) -> String? {
        guard call.head.fields.contains("idempotency-key") else { return nil }
        guard let key = call.head.fields["idempotency-key"], 1...128 ~= key.utf8.count, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw Problem(
                .badRequest, code: "invalidIdempotencyKey", detail: "The Idempotency-Key is not one word of 1 to 128 visible characters.")
        }
        return key
    }

    /// Of all by which one request differs from another.
    private var requestHash: [UInt8] {
        let head = call.head
        let query = head.target.query.items.map { "\($0.name.utf8.count) \($0.name) \($0.value.utf8.count) \($0.value)" }
        let conditions = [head.fields.list(.ifMatch) ?? "", head.fields.list(.ifNoneMatch) ?? ""]
        let words = ["\(head.method)", head.target.path] + query + conditions
        return Digest.sha256(Array((words.joined(separator: "\n") + "\n\n").utf8) + call.request.body)
    }
}

extension Problem {
    fileprivate static var keyInFlight: Problem {
        var problem = Problem(.conflict, code: "keyInFlight", detail: "A request with this Idempotency-Key is being worked on. Ask again.")
        problem.retryAfter = 1
        return problem
    }

    fileprivate static var keyReused: Problem {
        Problem(
            .unprocessableContent, code: "keyReused",
            detail: "This Idempotency-Key was used for another request within the last day. Take another one.")
    }
}
