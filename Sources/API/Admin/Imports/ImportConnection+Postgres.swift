package import CatalogImport
package import EventLoop
package import Postgres

extension ImportConnection {
    /// Opens transactions of its own.
    package init(over connection: PostgresConnection, until deadline: Deadline = .never) {
        self.init(connection, until: deadline) { retry, body in
            try await connection.transaction(TransactionOptions(retry: retry), until: deadline) { _ in try await body() }
        }
    }

    /// Within a transaction that the caller has opened.
    init(within connection: PostgresConnection, until deadline: Deadline) {
        self.init(connection, until: deadline) { _, body in try await body() }
    }

    private init(_ connection: PostgresConnection, until deadline: Deadline, _ transaction: @escaping Transaction) {
        self.init(
            run: { queries in try await connection.run(queries, until: deadline) },
            copy: { query, rows in
                try await connection.copyIn("\(query.name)", query.text, from: ChunkedBytes(bytes: rows), until: deadline)
            },
            transaction: transaction)
    }
}

/// Bytes in pieces, as libpq keeps what it is given until the network has taken it.
private struct ChunkedBytes: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = [UInt8]

    private static let size = 65_536

    let bytes: [UInt8]
    var place = 0

    func makeAsyncIterator() -> ChunkedBytes { self }

    mutating func next() -> [UInt8]? {
        guard place < bytes.count else { return nil }
        let end = Swift.min(bytes.count, place + Self.size)
        defer { place = end }
        return Array(bytes[place..<end])
    }
}
