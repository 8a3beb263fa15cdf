package import Postgres

/// A connection as an import uses it; whoever lends it brings deadlines and the loop.
package struct ImportConnection {
    package typealias Run = (_ queries: [PostgresQuery]) async throws -> [PostgresResult]
    package typealias Copy = (_ query: NamedQuery, _ rows: [UInt8]) async throws -> Int
    package typealias Transaction = (_ retry: RetryPolicy, _ body: () async throws -> Void) async throws -> Void

    private let runQueries: Run
    let copy: Copy
    private let runTransaction: Transaction

    package init(run: @escaping Run, copy: @escaping Copy, transaction: @escaping Transaction) {
        runQueries = run
        self.copy = copy
        runTransaction = transaction
    }

    /// Commits where the body returns and takes everything back where it throws. After a deadlock the body runs again within the bounds of
    /// `retry`, unless the caller's own transaction is around it.
    func transaction(retry: RetryPolicy = .never, _ body: () async throws -> Void) async throws { try await runTransaction(retry, body) }

    /// All in one round trip.
    @discardableResult
    func run(_ queries: [PostgresQuery]) async throws -> [PostgresResult] { try await runQueries(queries) }

    @discardableResult
    func run(_ query: PostgresQuery) async throws -> PostgresResult {
        guard let result = try await runQueries([query]).first else {
            throw PostgresError(.misuse, "the query has no answer", query: query.name)
        }
        return result
    }

    /// Derives what is in the queue, a part in a transaction each; answers how many items that were, and `tell` hears of each part.
    @discardableResult
    func derive(_ tell: (_ items: Int) throws -> Void = { _ in }) async throws -> Int {
        var total = 0
        while let items = try await run(PostgresQuery(ImportStatements.derive)).rows(as: Int.self).first, items > 0 {
            total += items
            try tell(total)
        }
        return total
    }
}
