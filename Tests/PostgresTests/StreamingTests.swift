import EventLoop
import Postgres
import TestDatabase
import Testing

@Suite(.database) struct StreamingTests {
    private static func numbers(to last: Int) -> PostgresQuery {
        PostgresQuery("numbers", "SELECT generate_series(1::int8, $1), repeat('x', 1000)", last)
    }

    @Test("a large result arrives row by row, in order, and the connection is usable after it", arguments: [0, 1, 20_000])
    func whole(last: Int) async throws {
        try await withConnection { connection in
            for _ in 0..<2 {
                let count = try await connection.withRows(of: Self.numbers(to: last), as: Int.self, String.self, until: .soon) { rows in
                    var count = 0
                    for try await (number, text) in rows {
                        count += 1
                        guard number == count, text.utf8.count == 1000 else { return -1 }
                    }
                    return count
                }
                #expect(count == last)
                #expect(connection.isUsable)
            }
        }
    }

    @Test("the server waits for whoever takes the rows")
    func backPressure() async throws {
        try await withConnection { connection in
            let process = connection.serverProcess
            let configuration = try ScratchDatabase.current.configuration
            let observer = try await PostgresConnection.connect(configuration, on: connection.loop, until: .soon)
            let query = PostgresQuery("state", "SELECT coalesce(wait_event, '') FROM pg_stat_activity WHERE pid = $1", process)
            try await connection.withRows(of: Self.numbers(to: .max - 1), as: Int.self, String.self, until: .never) { rows in
                var rows = rows
                #expect(try await rows.next()?.0 == 1)
                var state: String?
                let end = Deadline.soon
                while state != "ClientWrite", end > .now { state = try await observer.rows(of: query, as: String.self, until: end).first }
                #expect(state == "ClientWrite")
                #expect(try await rows.next()?.0 == 2)
            }
            observer.close()
        }
    }

    @Test("leaving early ends an endless query on the server")
    func early() async throws {
        try await withConnection { connection in
            let first = try await connection.withRows(of: Self.numbers(to: .max - 1), as: Int.self, String.self, until: .soon) { rows in
                for try await (number, _) in rows where number == 10 { return number }
                return 0
            }
            #expect(first == 10)
            #expect(connection.isUsable)
        }
    }

    @Test("rows that are kept beyond their scope have an end")
    func escaped() async throws {
        try await withConnection { connection in
            var rows = try await connection.withRows(of: Self.numbers(to: 3), as: Int.self, String.self, until: .soon) { $0 }
            #expect(try await rows.next() == nil)
            #expect(connection.isUsable)
        }
    }

    @Test("an error in the middle is thrown where it happens")
    func failure() async throws {
        try await withConnection { connection in
            let query = PostgresQuery("division", "SELECT 1 / (5 - n) FROM generate_series(1, 9) AS n")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.withRows(of: query, as: Int.self, until: .soon) { rows in
                    for try await _ in rows {}
                }
            }
            #expect(error?.sqlState?.rawValue == "22012")
            #expect(connection.isUsable)
        }
    }

    @Test("the deadline ends an endless result, however fast it comes")
    func deadline() async throws {
        try await withConnection { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.withRows(
                    of: Self.numbers(to: .max - 1), as: Int.self, String.self, until: .after(.milliseconds(200))
                ) { rows in
                    for try await _ in rows {}
                }
            }
            #expect(error?.code == .deadlinePassed)
            #expect(connection.isUsable)
        }
    }

    @Test("a connection that is closed while it lends its rows is closed when the scope ends")
    func closing() async throws {
        try await withConnection { connection in
            let count = try await connection.withRows(of: Self.numbers(to: 3), as: Int.self, String.self, until: .soon) { rows in
                var count = 0
                for try await _ in rows { count += 1 }
                connection.close()
                return count
            }
            #expect(count == 3)
            #expect(connection.isClosed)
        }
    }
}
