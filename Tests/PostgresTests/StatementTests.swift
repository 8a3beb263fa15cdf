import EventLoop
import Postgres
import TestDatabase
import Testing

@Suite(.database) struct StatementTests {
    private static let insert = PostgresQuery("insert", "INSERT INTO kept VALUES (1)")

    private static func statements(_ connection: PostgresConnection) async throws -> [Int] {
        let query = PostgresQuery("count", "SELECT count(*) FROM pg_prepared_statements", isPrepared: false)
        return try await connection.rows(of: query, as: Int.self, until: .soon)
    }

    private static func table(_ connection: PostgresConnection) async throws {
        let create = PostgresQuery("create", "CREATE TEMPORARY TABLE kept (n int8 PRIMARY KEY)", isPrepared: false)
        try await connection.run(create, until: .soon)
    }

    @Test("A query after a failed one in its batch can be run again")
    func afterFailure() async throws {
        try await withConnection { connection in
            try await Self.table(connection)
            let next = PostgresQuery("next", "SELECT count(*) FROM kept")
            await expectFailure(.refused) { () throws(PostgresError) in
                try await connection.run([Self.insert, Self.insert, next], until: .soon)
            }
            #expect(try await connection.rows(of: next, as: Int.self, until: .soon) == [0])
        }
    }

    @Test("A statement that fails because of its values stays prepared, once")
    func conflict() async throws {
        try await withConnection { connection in
            try await Self.table(connection)
            try await connection.run(Self.insert, until: .soon)
            for _ in 0..<20 {
                await expectFailure(.refused) { () throws(PostgresError) in try await connection.run(Self.insert, until: .soon) }
            }
            #expect(try await Self.statements(connection) == [1])
        }
    }

    /// A change that makes the plan of `SELECT n FROM kept` stale.
    enum Change: String, CaseIterable {
        case type = "ALTER TABLE kept ALTER n TYPE text"
        case oblivion = "DEALLOCATE ALL"
    }

    @Test("A stale statement is prepared again, immediately if nothing else has run", arguments: Change.allCases)
    func stale(change: Change) async throws {
        try await withConnection { connection in
            try await Self.table(connection)
            let query = PostgresQuery("all", "SELECT n FROM kept")
            let change = PostgresQuery("change", change.rawValue, isPrepared: false)
            try await connection.run(query, until: .soon)
            try await connection.run(change, until: .soon)
            try await connection.run(query, until: .soon)
            let back = PostgresQuery("back", "ALTER TABLE kept ALTER n TYPE int8 USING n::int8", isPrepared: false)
            try await connection.run(back, until: .soon)
            try await connection.run(query, until: .soon)
            try await connection.run(change, until: .soon)
            let error = await expectFailure(.staleStatement) { () throws(PostgresError) in
                try await connection.run([PostgresQuery("one", "SELECT 1", isPrepared: false), query], until: .soon)
            }
            #expect(error?.classification == .retry)
            try await connection.run(query, until: .soon)
        }
    }

    @Test("A stale statement in a transaction causes a retry of the transaction")
    func staleInTransaction() async throws {
        try await withConnection { connection in
            try await Self.table(connection)
            let query = PostgresQuery("all", "SELECT n FROM kept")
            try await connection.run(query, until: .soon)
            try await connection.run(PostgresQuery("change", Change.type.rawValue, isPrepared: false), until: .soon)
            let options = TransactionOptions(retry: RetryPolicy(attempts: 2, pause: .milliseconds(1)))
            let count = try await connection.transaction(options, until: .soon) { connection in
                try await connection.run(query, until: .soon).rowCount
            }
            #expect(count == 0)
        }
    }
}
