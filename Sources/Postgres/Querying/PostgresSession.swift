package import EventLoop

/// A source of query execution with time limits: a connection, or a pool that leases one for each call.
package struct PostgresSession: Sendable {
    private enum Target {
        case connection(PostgresConnection)
        /// The caller opens and ends the transaction.
        case transaction(PostgresConnection)
        case pool(PostgresPool)
    }

    private let target: Target
    private let deadline: Deadline
    private let limit: Duration?
    private let transactionLimit: Duration?

    private init(_ target: Target, _ deadline: Deadline, _ limit: Duration?, _ transactionLimit: Duration?) {
        self.target = target
        self.deadline = deadline
        self.limit = limit
        self.transactionLimit = transactionLimit
    }

    /// Creates a session whose calls all end at the deadline. The limit applies to each call, and to a whole
    /// transaction unless it has its own limit.
    package init(
        _ connection: PostgresConnection, until deadline: Deadline = .never, within limit: Duration? = nil,
        transaction transactionLimit: Duration? = nil
    ) {
        self.init(.connection(connection), deadline, limit, transactionLimit)
    }

    package init(_ pool: PostgresPool, until deadline: Deadline = .never, within limit: Duration? = nil) {
        self.init(.pool(pool), deadline, limit, nil)
    }

    /// Creates a session within an open transaction. `transaction` runs its body in it once, with the options of that
    /// transaction.
    package init(inTransactionOf connection: PostgresConnection, until deadline: Deadline = .never, within limit: Duration? = nil) {
        self.init(.transaction(connection), deadline, limit, nil)
    }

    /// Runs queries in one round trip and returns a result for each, like `PostgresConnection.run`.
    @discardableResult
    package func run(_ queries: [PostgresQuery]) async throws(PostgresError) -> [PostgresResult] {
        switch target {
        case .connection(let connection), .transaction(let connection): try await connection.run(queries, until: callDeadline)
        case .pool(let pool): try await pool.run(queries, until: callDeadline)
        }
    }

    @discardableResult
    package func run(_ query: PostgresQuery) async throws(PostgresError) -> PostgresResult { try await run([query])[0] }

    /// Runs one query and returns its rows as tuples, or as values if it has one column.
    package func rows<each Column: PostgresDecodable>(
        of query: PostgresQuery, as columns: repeat (each Column).Type
    ) async throws(PostgresError) -> [(repeat each Column)] {
        try await run(query).rows(as: repeat each columns)
    }

    /// Runs a body in a transaction, like `PostgresConnection.transaction`, and passes it the session of the
    /// transaction.
    package func transaction<Result>(
        _ options: TransactionOptions = TransactionOptions(), _ body: (PostgresSession) async throws -> Result
    ) async throws -> Result {
        try await transaction(options, opening: []) { session, _ in (try await body(session), []) }
    }

    /// Runs a body in a transaction, like `PostgresConnection.transaction` with queries that open and close it.
    package func transaction<Result>(
        _ options: TransactionOptions = TransactionOptions(), opening queries: [PostgresQuery],
        _ body: (PostgresSession, _ opened: [PostgresResult]) async throws -> (Result, closing: [PostgresQuery])
    ) async throws -> Result {
        let end = end(transactionLimit ?? limit)
        switch target {
        case .transaction:
            let (result, closing) = try await body(self, try await run(queries))
            try await run(closing)
            return result
        case .connection(let connection):
            return try await connection.transaction(options, opening: queries, until: end) { connection, opened in
                try await body(joined(connection, until: end), opened)
            }
        case .pool(let pool):
            return try await pool.withConnection(until: end) { connection in
                try await connection.transaction(options, opening: queries, until: end) { connection, opened in
                    try await body(joined(connection, until: end), opened)
                }
            }
        }
    }

    /// Copies rows in the format of the COPY statement and returns their number.
    package func copyIn(_ query: NamedQuery, _ rows: [UInt8]) async throws -> Int {
        let end = callDeadline
        func copy(_ connection: PostgresConnection) async throws -> Int {
            try await connection.copyIn("\(query.name)", query.text, from: ChunkedBytes(bytes: rows), until: end)
        }
        switch target {
        case .connection(let connection), .transaction(let connection): return try await copy(connection)
        case .pool(let pool): return try await pool.withConnection(until: end) { try await copy($0) }
        }
    }

    private func joined(_ connection: PostgresConnection, until deadline: Deadline) -> PostgresSession {
        PostgresSession(.transaction(connection), deadline, limit, transactionLimit)
    }

    private var callDeadline: Deadline { end(limit) }

    private func end(_ limit: Duration?) -> Deadline { limit.map { min(deadline, .after($0)) } ?? deadline }
}

/// The bytes in chunks, because libpq buffers its input until the network accepts it.
private struct ChunkedBytes: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = [UInt8]

    private static let size = 65_536

    let bytes: [UInt8]
    var position = 0

    func makeAsyncIterator() -> ChunkedBytes { self }

    mutating func next() -> [UInt8]? {
        guard position < bytes.count else { return nil }
        let end = Swift.min(bytes.count, position + Self.size)
        defer { position = end }
        return Array(bytes[position..<end])
    }
}
