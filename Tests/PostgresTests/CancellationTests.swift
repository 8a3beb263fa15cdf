import EventLoop
import Glibc
import Host
import Postgres
import TestDatabase
import Testing

@Suite(.database) struct CancellationTests {
    private static let sleep = PostgresQuery("sleep", "SELECT pg_sleep(30)")

    @Test("A deadline ends the query on the server, and the connection is usable immediately")
    func deadline() async throws {
        try await withConnection { connection in
            let start = ContinuousClock.now
            let error = await expectFailure(.deadlinePassed) { () throws(PostgresError) in
                try await connection.run(Self.sleep, until: .after(.milliseconds(100)))
            }
            #expect(error?.query == "sleep")
            #expect(start.duration(to: .now) < .seconds(25))
            #expect(connection.isUsable)
            for number in 0..<20 {
                let response = try await connection.rows(of: PostgresQuery("next", "SELECT $1", number), as: Int.self, until: .soon)
                #expect(response == [number])
            }
        }
    }

    @Test("Canceling the task cancels the query on the server")
    func cancelled() async throws {
        try await withConnection { connection in
            let task = Task(executorPreference: connection.loop) {
                await expectFailure(.cancelled) { () throws(PostgresError) in try await connection.run(Self.sleep, until: .never) }
            }
            try await connection.loop.sleep(until: .after(.milliseconds(50)))
            task.cancel()
            _ = await task.value
            #expect(connection.isUsable)
            #expect(try await connection.rows(of: PostgresQuery("next", "SELECT 1"), as: Int.self, until: .soon) == [1])
        }
    }

    @Test("A query whose task is canceled or whose deadline has passed is not sent")
    func unwanted() async throws {
        try await withConnection { connection in
            let create = PostgresQuery("create", "CREATE TEMPORARY TABLE unwanted (n int8)")
            try await connection.run(create, until: .soon)
            let insert = PostgresQuery("insert", "INSERT INTO unwanted VALUES (1)")
            for _ in 0..<20 {
                await expectFailure(.deadlinePassed) { () throws(PostgresError) in try await connection.run(insert, until: .now) }
                let task = Task(executorPreference: connection.loop) {
                    await expectFailure(.cancelled) { () throws(PostgresError) in try await connection.run(insert, until: .soon) }
                }
                task.cancel()
                _ = await task.value
            }
            #expect(connection.isUsable)
            let count = PostgresQuery("count", "SELECT count(*) FROM unwanted")
            #expect(try await connection.rows(of: count, as: Int.self, until: .soon) == [0])
        }
    }

    @Test("A frozen server costs a query its deadline and the grace period, and the connection is closed")
    func frozen() async throws {
        try await withConnection(configuring: { $0.cancelGrace = .milliseconds(200) }) { connection in
            let process = connection.serverProcess
            _ = kill(process, SIGSTOP)
            let start = ContinuousClock.now
            await expectFailure(.deadlinePassed) { () throws(PostgresError) in
                try await connection.run(PostgresQuery("one", "SELECT 1"), until: .after(.milliseconds(100)))
            }
            #expect(start.duration(to: .now) < .seconds(15))
            #expect(connection.isClosed)
            _ = kill(process, SIGCONT)
        }
    }

    @Test("A backend that is terminated during a query reports its SQLSTATE, and the connection is closed")
    func terminated() async throws {
        try await withConnection { connection in
            let task = Task(executorPreference: connection.loop) {
                await expectFailure(.refused) { () throws(PostgresError) in try await connection.run(Self.sleep, until: .soon) }
            }
            try await connection.loop.sleep(until: .after(.milliseconds(50)))
            _ = kill(connection.serverProcess, SIGTERM)
            let error = await task.value
            #expect(error?.sqlState?.rawValue == "57P01")
            #expect(error?.classification == .unavailable)
            #expect(connection.isClosed)
        }
    }

    @Test("Closing a connection ends the call that waits on it")
    func closed() async throws {
        try await withConnection { connection in
            let task = Task(executorPreference: connection.loop) {
                await expectFailure(.connectionLost) { () throws(PostgresError) in try await connection.run(Self.sleep, until: .soon) }
            }
            try await connection.loop.sleep(until: .after(.milliseconds(50)))
            connection.close()
            _ = await task.value
            #expect(connection.isClosed)
        }
    }
}
