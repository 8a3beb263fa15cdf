import EventLoop
import Glibc
import Host
import TestDatabase
import TestSupport
import Testing

@testable import Postgres

@Suite(.database) struct TransactionTests {
    private struct Rejection: Error {}

    private static func count(_ table: String, _ connection: PostgresConnection) async throws -> [Int] {
        try await connection.rows(of: PostgresQuery("count", "SELECT count(*) FROM \(table)"), as: Int.self, until: .soon)
    }

    private static func table(_ name: String, _ connection: PostgresConnection) async throws {
        try await connection.run(PostgresQuery("create", "CREATE TABLE \(name) (n int8 PRIMARY KEY)"), until: .soon)
    }

    private static func insert(_ table: String, _ number: Int) -> PostgresQuery {
        PostgresQuery("insert", "INSERT INTO \(table) VALUES ($1)", number)
    }

    @Test("A body that returns is committed, and one that throws is rolled back with its own error")
    func scope() async throws {
        try await withConnection { connection in
            try await Self.table("scoped", connection)
            let result = try await connection.transaction(until: .soon) { connection in
                try await connection.run(Self.insert("scoped", 1), until: .soon).affectedRows
            }
            #expect(result == 1)
            await #expect(throws: Rejection.self) {
                try await connection.transaction(until: .soon) { connection in
                    try await connection.run(Self.insert("scoped", 2), until: .soon)
                    throw Rejection()
                }
            }
            #expect(connection.isUsable)
            let found = try await Self.count("scoped", connection)
            #expect(found == [1])
        }
    }

    @Test("A failure that the body hides is not reported as a commit")
    func hiddenFailure() async throws {
        try await withConnection { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction(until: .soon) { connection in
                    _ = await expectFailure(.refused) { () throws(PostgresError) in
                        try await connection.run(PostgresQuery("broken", "SELECT 1/0"), until: .soon)
                    }
                }
            }
            #expect(error?.code == .rolledBack)
            #expect(connection.isUsable)
        }
    }

    @Test("Isolation and access are passed to the server", arguments: [TransactionOptions.Isolation.serializable, .repeatableRead])
    func options(isolation: TransactionOptions.Isolation) async throws {
        try await withConnection { connection in
            let options = TransactionOptions(isolation: isolation, isReadOnly: true, isDeferrable: true)
            let query = PostgresQuery(
                "settings",
                """
                SELECT upper(current_setting('transaction_isolation')), current_setting('transaction_read_only'),
                    current_setting('transaction_deferrable')
                """)
            let row = try await connection.transaction(options, until: .soon) { connection in
                try await connection.rows(of: query, as: String.self, String.self, String.self, until: .soon).first
            }
            #expect(row?.0 == isolation.rawValue)
            #expect(row?.1 == "on")
            #expect(row?.2 == "on")
        }
    }

    @Test("A deadlock is retried only if the caller allows it, up to the given number of attempts", arguments: [1, 3])
    func retry(attempts: Int) async throws {
        try await withConnection { connection in
            let runs = Locked(0)
            let options = TransactionOptions(retry: RetryPolicy(attempts: attempts, pause: .milliseconds(1)))
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction(options, until: .soon) { connection in
                    runs.withLock { $0 += 1 }
                    let raise = "DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = '40P01'; END $$"
                    try await connection.run(PostgresQuery("raise", raise), until: .soon)
                }
            }
            #expect(error?.sqlState == .deadlockDetected)
            #expect(runs.withLock { $0 } == attempts)
            #expect(connection.isUsable)
        }
    }

    @Test("If two transactions cannot be serialized, the one that ends last runs again and succeeds")
    func serialization() async throws {
        try await withConnection { connection in
            try await Self.table("serial", connection)
            let configuration = try ScratchDatabase.current.configuration
            let other = try await PostgresConnection.connect(configuration, on: connection.loop, until: .soon)
            let options = TransactionOptions(isolation: .serializable, retry: RetryPolicy(attempts: 5, pause: .milliseconds(1)))
            let received = Locked<[Int]>([])
            try await connection.transaction(options, until: .soon) { connection in
                let count = try await Self.count("serial", connection)
                if received.withLock({ $0.isEmpty }) {
                    try await other.transaction(options, until: .soon) { other in
                        _ = try await Self.count("serial", other)
                        try await other.run(Self.insert("serial", 1), until: .soon)
                    }
                }
                received.withLock { $0 += count }
                try await connection.run(Self.insert("serial", 2), until: .soon)
            }
            #expect(Set(received.withLock { $0 }) == [0, 1])
            other.close()
        }
    }

    @Test(
        "The pause before a retry is random up to a bound that grows", arguments: [(1, 10), (2, 20), (4, 80), (8, 1000), (1_000_000, 1000)])
    func pauses(attempt: Int, milliseconds: Int) {
        var random = SeededRandom(seed: UInt64(attempt))
        let policy = RetryPolicy(attempts: .max)
        let pauses = (0..<100).map { _ in policy.delay(after: attempt, using: &random) }
        #expect(pauses.allSatisfy { $0 >= .zero && $0 <= .milliseconds(milliseconds) })
        #expect(Set(pauses).count > 90)
        #expect(pauses.contains { $0 > .milliseconds(milliseconds) / 2 })
    }

    @Test("Canceling the task rolls back the transaction and leaves the connection usable")
    func cancelled() async throws {
        try await withConnection { connection in
            try await Self.table("cancelled", connection)
            let task = Task(executorPreference: connection.loop) {
                try await connection.transaction(until: .soon) { connection in
                    try await connection.run(Self.insert("cancelled", 1), until: .soon)
                    try await connection.run(PostgresQuery("sleep", "SELECT pg_sleep(30)"), until: .soon)
                }
            }
            try await connection.loop.sleep(until: .after(.milliseconds(50)))
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(connection.isUsable)
            let found = try await Self.count("cancelled", connection)
            #expect(found == [0])
        }
    }

    @Test("A task that is canceled while its transaction begins leaves no transaction open")
    func cancelledBeginning() async throws {
        try await withConnection { connection in
            for _ in 0..<20 {
                let task = Task(executorPreference: connection.loop) {
                    try await connection.transaction(until: .soon) { _ in Issue.record("the body runs") }
                }
                task.cancel()
                let error = await #expect(throws: PostgresError.self) { try await task.value }
                #expect(error?.code == .cancelled)
                #expect(connection.isUsable)
            }
        }
    }

    @Test("Canceling the pause before a retry throws a database error")
    func cancelledPause() async throws {
        try await withConnection { connection in
            let runs = Locked(0)
            let task = Task(executorPreference: connection.loop) {
                let options = TransactionOptions(retry: RetryPolicy(attempts: 100, pause: .seconds(3600)))
                try await connection.transaction(options, until: .never) { connection in
                    runs.withLock { $0 += 1 }
                    let raise = "DO $$ BEGIN RAISE EXCEPTION 'met' USING ERRCODE = '40001'; END $$"
                    try await connection.run(PostgresQuery("raise", raise), until: .soon)
                }
            }
            await wait(while: runs.withLock({ $0 }) < 1 || !connection.isUsable || connection.loop.registrations.timers == 0)
            task.cancel()
            let error = await #expect(throws: PostgresError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }

    @Test("A COMMIT that was never sent is a rollback, not an unknown outcome")
    func unsentCommit() async throws {
        try await withConnection { connection in
            try await Self.table("unsent", connection)
            let deadline = Deadline.after(.milliseconds(200))
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction(until: deadline) { connection in
                    try await connection.run(Self.insert("unsent", 1), until: .soon)
                    try await connection.loop.sleep(until: deadline)
                }
            }
            #expect(error?.code == .deadlinePassed)
            #expect(connection.isUsable)
            let found = try await Self.count("unsent", connection)
            #expect(found == [0])
        }
    }

    @Test("A connection that is lost before the response to COMMIT leaves the outcome unknown, and reports it")
    func outcomeUnknown() async throws {
        try await withConnection(configuring: { $0.cancelGrace = .milliseconds(100) }) { connection in
            let process = connection.serverProcess
            let error = await #expect(throws: PostgresError.self) {
                // Only the COMMIT reaches the deadline. A busy machine may need a part of the time for the statements before it.
                try await connection.transaction(until: .after(.seconds(2))) { connection in
                    try await connection.run(PostgresQuery("one", "SELECT 1"), until: .soon)
                    _ = kill(process, SIGSTOP)
                }
            }
            #expect(error?.code == .outcomeUnknown)
            #expect(connection.isClosed)
            _ = kill(process, SIGCONT)
        }
    }

    @Test("A session ends a transaction at its limit, even if each statement is short")
    func sessionLimit() async throws {
        try await withConnection { connection in
            let session = PostgresSession(connection, within: .seconds(60), transaction: .milliseconds(300))
            let pause = PostgresQuery("pause", "SELECT pg_sleep(0.1) IS NULL")
            var count = 0
            let error = await #expect(throws: PostgresError.self) {
                try await session.transaction { session in
                    for _ in 0..<100 {
                        try await session.run(pause)
                        count += 1
                    }
                }
            }
            #expect(error?.code == .deadlinePassed && count < 10)
        }
    }

    @Test("Opening and closing queries of a transaction take no round trips of their own")
    func openingAndClosing() async throws {
        try await withConnection { connection in
            try await Self.table("opened", connection)
            let before = connection.callCount
            let sum = try await connection.transaction(
                opening: [Self.insert("opened", 1), PostgresQuery("sum", "SELECT sum(n)::int8 FROM opened")], until: .soon
            ) { _, opened in
                (try opened[1].rows(as: Int.self).first, closing: [Self.insert("opened", 2), Self.insert("opened", 3)])
            }
            #expect(sum == 1 && connection.callCount - before == 2)
            #expect(try await Self.count("opened", connection) == [3])
        }
    }

    @Test("If an opening or a closing query fails, nothing is committed, and the error is that of the query")
    func failedAtTheEnds() async throws {
        try await withConnection { connection in
            try await Self.table("ends", connection)
            for (opening, closing) in [([1, 1], [2]), ([1], [1]), ([1], [2, 2, 3])] {
                let error = await #expect(throws: PostgresError.self) {
                    try await connection.transaction(opening: opening.map { Self.insert("ends", $0) }, until: .soon) { _, _ in
                        ((), closing: closing.map { Self.insert("ends", $0) })
                    }
                }
                #expect(error?.sqlState == SQLState(rawValue: "23505") && error?.query == "insert")
                #expect(connection.isUsable)
                #expect(try await Self.count("ends", connection) == [0])
            }
        }
    }
}
