import API
import EventLoop
import HTTP
import HTTPMessages
import Host
import Postgres
import TestDatabase
import TestSupport
import Testing

/// Requests over a socket, whose responses wait for a real database.
@Suite("The deadline of a request", .databaseForEachTest(.empty), .onOwnThread)
struct DeadlineTests {
    private static let sleep = PostgresQuery("sleep", "SELECT pg_sleep(60)")

    /// Returns routes that query a database through a pool with one connection.
    private static func routes(_ pool: PostgresPool) -> [Route] {
        [
            Route(.get, "/slow") { call in
                call.later { _ in
                    try await pool.run(sleep, until: call.deadline)
                    return Response(.ok)
                }
            },
            Route(.get, "/unhurried") { call in
                let call = call.lasting(until: .soon)
                return call.later { _ in
                    try await pool.run(PostgresQuery("nap", "SELECT pg_sleep(1)"), until: call.deadline)
                    return Response(.ok)
                }
            },
            Route(.get, "/quick") { call in
                call.later { _ in
                    let row = try await pool.rows(of: PostgresQuery("quick", "SELECT 42"), as: Int32.self, until: call.deadline)
                    return Response(.ok, body: Body("\(row)\n"))
                }
            },
            Route(.get, "/wrong") { call in
                call.later { _ in
                    try await pool.run(PostgresQuery("wrong", "SELECT nothing"), until: call.deadline)
                    return Response(.ok)
                }
            },
        ]
    }

    /// Runs a server with these routes on one event loop. A second connection observes its database.
    private func withServer(
        requestLimit limit: Duration, failed: @escaping @Sendable (any Error, RequestID) -> Void = { _, _ in },
        _ body: @escaping @Sendable (_ url: String, PostgresPool) async throws -> Void
    ) async throws {
        var limits = ServerLimits()
        limits.request = limit
        let group = try EventLoopGroup(name: "http", count: 1)
        let loop = group.loops[0]
        let pool = PostgresPool(try ScratchDatabase.current.configuration, limits: PoolLimits(minimum: 0, maximum: 1), on: loop)
        let application = Application(Self.routes(pool), middleware: [.requestID], metrics: RequestMetrics(), failed: failed)
        let server = try await HTTPServer([.tcp(host: "127.0.0.1", port: 0)], on: group, service: application.service, limits: limits)
        let result: Result<Void, any Error>
        do { result = .success(try await body("http://127.0.0.1:\(server.ports[0] ?? 0)", pool)) } catch { result = .failure(error) }
        await server.shutDown(until: .soon)
        await Task(executorPreference: loop) { await pool.shutDown(until: .soon) }.value
        await group.stop()
        try result.get()
    }

    private static func send(_ url: String, _ version: String = "--http1.1") throws -> String {
        try ProcessLaunch("curl", ["-sS", version, "-i", "--max-time", "50", url]).output(within: .seconds(60)).text
    }

    /// Returns the number of queries that still sleep in the database.
    private static func sleepers() async throws -> Int {
        let query = PostgresQuery(
            "sleepers", "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'")
        let count = Locked(0)
        try await withConnection { connection in
            let found = try await connection.rows(of: query, as: Int.self, until: .soon)[0]
            count.withLock { $0 = found }
        }
        return count.withLock { $0 }
    }

    private static func waitForSleepers(_ count: Int) async throws {
        let end = Deadline.soon
        while try await sleepers() != count { try #require(Deadline.now < end) }
    }

    @Test("The deadline cancels a slow query, and its database connection serves the next request")
    func slowQuery() async throws {
        try await withServer(requestLimit: .milliseconds(500)) { url, _ in
            let response = try Self.send("\(url)/slow")
            #expect(response.hasPrefix("HTTP/1.1 503 ") && response.contains("application/problem+json"), "\(response)")
            try await Self.waitForSleepers(0)
        }
        try await withServer(requestLimit: .seconds(20)) { url, _ in
            let response = try Self.send("\(url)/quick")
            #expect(response.hasSuffix("\r\n\r\n[42]\n"))
        }
    }

    @Test("A route can have a longer deadline")
    func unhurried() async throws {
        try await withServer(requestLimit: .milliseconds(300)) { url, _ in
            for version in ["--http1.1", "--http2-prior-knowledge"] {
                let response = try Self.send("\(url)/unhurried", version)
                #expect(response.contains(" 200"), "\(version): \(response)")
            }
        }
    }

    @Test("The deadline includes the wait for a database connection")
    func busyPool() async throws {
        try await withServer(requestLimit: .milliseconds(500)) { url, pool in
            let gate = Locked(false)
            let holding = Task(executorPreference: pool.loop) {
                try await pool.withConnection(until: .soon) { _ in
                    while !gate.withLock({ $0 }) { try await pool.loop.sleep(until: .after(.milliseconds(1))) }
                }
            }
            await wait(while: await Task(executorPreference: pool.loop, operation: { pool.status.leased }).value == 0)
            let response = try Self.send("\(url)/quick")
            gate.withLock { $0 = true }
            #expect(response.hasPrefix("HTTP/1.1 503 "))
            try await holding.value
        }
    }

    /// With HTTP/1.1, a client that has closed only its sending side looks the same as one that has left, so it gets a response.
    @Test("The query ends immediately when an HTTP/2 client leaves")
    func clientLeaves() async throws {
        try await withServer(requestLimit: .seconds(50)) { url, _ in
            let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
            var client = try ProcessLaunch("curl", ["-s", "--http2-prior-knowledge", "\(url)/slow"]).start(input: nothing, output: nothing)
            try await Self.waitForSleepers(1)
            try RunningProcess.send(.kill, to: client.id)
            _ = try client.wait()
            try await Self.waitForSleepers(0)
            #expect(try Self.send("\(url)/quick").hasSuffix("[42]\n"))
        }
    }

    @Test("An internal error gets 500 instead of 503, and its cause is only in the log")
    func issue() async throws {
        let reported = Locked<[String]>([])
        try await withServer(requestLimit: .seconds(20), failed: { error, _ in reported.withLock { $0.append("\(error)") } }) { url, _ in
            let response = try Self.send("\(url)/wrong")
            #expect(response.hasPrefix("HTTP/1.1 500 ") && !response.contains("nothing"), "\(response)")
        }
        #expect(reported.withLock { $0.count == 1 && $0[0].contains("nothing") })
    }
}
