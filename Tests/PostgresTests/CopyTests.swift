import EventLoop
import Postgres
import TestDatabase
import Testing

@Suite(.database) struct CopyTests {
    private struct Rejection: Error {}

    /// The `count` lines of a copy, which ends with an error if it is `failing`.
    private struct Lines: AsyncSequence, AsyncIteratorProtocol {
        let count: Int
        var isFailing = false
        private var number = 0

        init(_ count: Int, failing: Bool = false) {
            self.count = count
            isFailing = failing
        }

        func makeAsyncIterator() -> Lines { self }

        mutating func next() async throws -> [UInt8]? {
            number += 1
            if number > count, isFailing { throw Rejection() }
            return number > count ? nil : Array("\(number)\tname \(number)\n".utf8)
        }
    }

    @Test("Copied rows are in the table, and the connection is back in pipeline mode")
    func roundTrip() async throws {
        try await withConnection { connection in
            try await connection.run(PostgresQuery("create", "CREATE TEMPORARY TABLE goods (n int8, name text)"), until: .soon)
            let rows = try await connection.copyIn("fill", "COPY goods FROM STDIN", from: Lines(20_000), until: .soon)
            #expect(rows == 20_000)
            #expect(connection.isUsable)
            let counted = try await connection.rows(of: PostgresQuery("count", "SELECT count(*) FROM goods"), as: Int.self, until: .soon)
            #expect(counted == [20_000])
        }
    }

    @Test("A failing source copies nothing, and an invalid line is the server's error")
    func failures() async throws {
        try await withConnection { connection in
            try await connection.run(PostgresQuery("create", "CREATE TEMPORARY TABLE goods (n int2, name text)"), until: .soon)
            await #expect(throws: Rejection.self) {
                try await connection.copyIn("fill", "COPY goods FROM STDIN", from: Lines(10, failing: true), until: .soon)
            }
            #expect(connection.isUsable)
            let error = await #expect(throws: PostgresError.self) {
                try await connection.copyIn("fill", "COPY goods FROM STDIN", from: Lines(40_000), until: .soon)
            }
            #expect(error?.sqlState?.rawValue == "22003")
            #expect(error?.query == "fill")
            #expect(connection.isUsable)
            let counted = try await connection.rows(of: PostgresQuery("count", "SELECT count(*) FROM goods"), as: Int.self, until: .soon)
            #expect(counted == [0])
        }
    }

    @Test(
        "Copying in with a statement that reads no lines is a misuse error",
        arguments: ["SELECT 1", "COPY (SELECT generate_series(1::int8, 9000000000)) TO STDOUT"])
    func notIn(statement: String) async throws {
        try await withConnection { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.copyIn("fill", statement, from: Lines(10), until: .soon)
            }
            #expect(error?.code == .misuse)
            #expect(connection.isUsable)
            let next = try await connection.rows(of: PostgresQuery("next", "SELECT 1"), as: Int.self, until: .soon)
            #expect(next == [1])
        }
    }
}
