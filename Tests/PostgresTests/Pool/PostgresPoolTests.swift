import EventLoop
import Host
import Postgres
import Settings
import TestDatabase
import Testing

@Suite("A pool of connections", .database)
struct PostgresPoolTests {
    private static let process = PostgresQuery("process", "SELECT pg_backend_pid()")
    private static let sleep = PostgresQuery("sleep", "SELECT pg_sleep(30)")

    private static func echo(_ number: Int) -> PostgresQuery { PostgresQuery("echo", "SELECT $1::int8, pg_backend_pid()", number) }

    /// Waits, while other tasks run, until the pool has reached a state.
    private static func wait(for pool: PostgresPool, until isReached: (PoolStatus) -> Bool) async throws {
        let end = Deadline.soon
        while !isReached(pool.status) {
            try #require(Deadline.now < end, "\(pool.status)")
            try await pool.loop.sleep(until: .after(.milliseconds(5)))
        }
    }

    @Test("A pool serves many requests with few connections, and each gets its own result")
    func sharing() async throws {
        try await withPool(maximum: 4) { pool in
            let processes = try await withThrowingTaskGroup(of: (Int, Int32).self) { group in
                for number in 0..<64 {
                    group.addTask(executorPreference: pool.loop) {
                        let row = try await pool.rows(of: Self.echo(number), as: Int.self, Int32.self, until: .soon)[0]
                        #expect(row.0 == number)
                        return row
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1.1) }
            }
            // A connection that opens after all requests are done has served none.
            #expect(processes.count >= 1 && (processes.count...4).contains(pool.status.idle))
        }
    }

    @Test("A pool opens its minimum of connections without a request")
    func minimum() async throws {
        try await withPool(minimum: 2) { pool in try await Self.wait(for: pool) { $0.idle == 2 } }
    }

    @Test("A pool runs queries in one call, in transactions and in scopes")
    func calls() async throws {
        try await withPool(maximum: 1) { pool in
            #expect(try await pool.run([Self.echo(1), Self.echo(2)], until: .soon).count == 2)
            let number = try await pool.transaction(TransactionOptions(isReadOnly: true), until: .soon) { connection in
                try await connection.rows(of: Self.echo(3), as: Int.self, Int32.self, until: .soon)[0].0
            }
            #expect(number == 3)
            #expect(try await pool.withConnection(until: .soon) { $0.isUsable })
        }
    }

    @Test("A pool keeps a connection on which a statement failed")
    func failedStatement() async throws {
        try await withPool(maximum: 1) { pool in
            let before = try await pool.rows(of: Self.process, as: Int32.self, until: .soon)
            let error = await expectFailure(.refused) { () throws(PostgresError) in
                try await pool.run(PostgresQuery("divide", "SELECT 1 / 0"), until: .soon)
            }
            #expect(error?.classification == .badInput)
            #expect(try await pool.rows(of: Self.process, as: Int32.self, until: .soon) == before)
        }
    }

    @Test("A pool rolls back a transaction that was left open before it leases the connection again")
    func openTransaction() async throws {
        try await withPool(maximum: 1) { pool in
            let before = try await pool.withConnection(until: .soon) { connection in
                try await connection.run(PostgresQuery("begin", "BEGIN"), until: .soon)
                try await connection.run(PostgresQuery("set", "SET LOCAL test.place = 'inside'"), until: .soon)
                return connection.serverProcess
            }
            let place = PostgresQuery("place", "SELECT pg_backend_pid(), current_setting('test.place')")
            #expect(try await pool.rows(of: place, as: Int32.self, String.self, until: .soon)[0] == (before, ""))
        }
    }

    @Test("A pool refuses a request immediately if the queue is full, and fails a waiting one at its deadline")
    func turnedAway() async throws {
        try await withPool(maximum: 1, limiting: { $0.maxWaiting = 1 }) { pool in
            try await pool.withConnection(until: .soon) { _ in
                let waiting = Task(executorPreference: pool.loop) {
                    await expectFailure(.cancelled) { () throws(PostgresError) in try await pool.run(Self.process, until: .never) }
                }
                try await Self.wait(for: pool) { $0.waiting == 1 }
                let error = await expectFailure(.overloaded) { () throws(PostgresError) in try await pool.run(Self.process, until: .never) }
                #expect(error?.classification == .unavailable)
                waiting.cancel()
                _ = await waiting.value
                await expectFailure(.deadlinePassed) { () throws(PostgresError) in
                    try await pool.run(Self.process, until: .after(.milliseconds(20)))
                }
            }
        }
    }

    @Test("A canceled wait leaves the queue")
    func cancelledWait() async throws {
        try await withPool(maximum: 1) { pool in
            try await pool.withConnection(until: .soon) { _ in
                let waiting = Task(executorPreference: pool.loop) {
                    await expectFailure(.cancelled) { () throws(PostgresError) in try await pool.run(Self.process, until: .never) }
                }
                try await Self.wait(for: pool) { $0.waiting == 1 }
                waiting.cancel()
                _ = await waiting.value
                #expect(pool.status.waiting == 0)
            }
            let late = Task(executorPreference: pool.loop) {
                withUnsafeCurrentTask { $0?.cancel() }
                await expectFailure(.cancelled) { () throws(PostgresError) in try await pool.run(Self.process, until: .soon) }
            }
            _ = await late.value
        }
    }

    @Test("A canceled query ends on the server, and the pool leases its connection again")
    func cancelledQuery() async throws {
        try await withPool(maximum: 1) { pool in
            let before = try await pool.rows(of: Self.process, as: Int32.self, until: .soon)
            let sleeping = Task(executorPreference: pool.loop) {
                await expectFailure(.cancelled) { () throws(PostgresError) in try await pool.run(Self.sleep, until: .soon) }
            }
            try await Self.wait(for: pool) { $0.leased == 1 }
            let next = Task(executorPreference: pool.loop) { try await pool.rows(of: Self.process, as: Int32.self, until: .soon) }
            try await Self.wait(for: pool) { $0.waiting == 1 }
            sleeping.cancel()
            #expect(try await next.value == before)
            _ = await sleeping.value
        }
    }

    @Test("A pool detects that the server has ended an idle session")
    func lostWhileIdle() async throws {
        var configuration = try ScratchDatabase.current.configuration
        configuration.applicationName = "idle"
        try await withPool(configuration, minimum: 1, maximum: 1) { pool in
            let before = try await pool.rows(of: Self.process, as: Int32.self, until: .soon)[0]
            try await withConnection { other in
                try await other.run(PostgresQuery("end", "SELECT pg_terminate_backend($1)", before), until: .soon)
                // The minimum is kept without a request.
                let query = PostgresQuery(
                    "sessions", "SELECT pid FROM pg_stat_activity WHERE application_name = 'idle' AND pid <> $1", before)
                var sessions: [Int32] = []
                let end = Deadline.soon
                while sessions.isEmpty, end > .now { sessions = try await other.rows(of: query, as: Int32.self, until: end) }
                #expect(sessions.count == 1)
            }
            #expect(try await pool.rows(of: Self.process, as: Int32.self, until: .soon)[0] != before)
        }
    }

    @Test("A pool replaces a connection whose server process is killed during a query")
    func lostInUse() async throws {
        try await withPool(maximum: 1) { pool in
            let sleeping = Task(executorPreference: pool.loop) {
                try await pool.withConnection(until: .soon) { connection in
                    try await withConnection { [process = connection.serverProcess] other in
                        try await other.run(PostgresQuery("end", "SELECT pg_terminate_backend($1)", process), until: .soon)
                    }
                    return await expectFailure(.refused) { () throws(PostgresError) in try await connection.run(Self.sleep, until: .soon) }
                }
            }
            let error = try await sleeping.value
            #expect(error?.classification == .unavailable)
            #expect(try await pool.run(Self.process, until: .soon).rowCount == 1)
        }
    }

    @Test("A pool reports an unknown database immediately, with its name")
    func unknownDatabase() async throws {
        let database = try ScratchDatabase.current
        let url = try DatabaseURL(parsing: database.url.exposed.replacing("/\(database.name)?", with: "/nowhere?"))
        try await withPool(.patient(url)) { pool in
            let error = await expectFailure(.connectFailed) { () throws(PostgresError) in try await pool.run(Self.process, until: .never) }
            #expect(error?.sqlState?.rawValue == "3D000")
            #expect(error?.message.contains("nowhere") == true)
        }
    }

    @Test("A shutdown waits for leased connections and leases no more")
    func shutdown() async throws {
        try await withPool { pool in
            let ending = try await pool.withConnection(until: .soon) { connection in
                let ending = Task(executorPreference: pool.loop) { await pool.shutDown(until: .soon) }
                try await Self.wait(for: pool) { $0.leased == 1 }
                while await !Self.isShuttingDown(pool) { try await pool.loop.sleep(until: .after(.milliseconds(5))) }
                #expect(try await connection.run(Self.process, until: .soon).rowCount == 1)
                return ending
            }
            await ending.value
            expectNothingLeft(of: pool)
        }
    }

    private static func isShuttingDown(_ pool: PostgresPool) async -> Bool {
        do throws(PostgresError) {
            try await pool.run(process, until: .soon)
            return false
        } catch {
            return error.code == .shuttingDown
        }
    }

    @Test("A shutdown closes the connections that are still in use at its deadline")
    func shutdownDeadline() async throws {
        try await withPool { pool in
            let sleeping = Task(executorPreference: pool.loop) {
                await expectFailure(.connectionLost) { () throws(PostgresError) in try await pool.run(Self.sleep, until: .never) }
            }
            try await Self.wait(for: pool) { $0.leased == 1 }
            await pool.shutDown(until: .after(.milliseconds(50)))
            expectNothingLeft(of: pool)
            _ = await sleeping.value
        }
    }
}
