import EventLoop
import Glibc
import Host
import Postgres
import Settings
import TestDatabase
import TestProxy
import TestSupport
import Testing

@Suite(.database) struct NetworkFaultTests {
    /// Causes a fault during an exchange, checks that nothing is left of it, and returns its error.
    private static func failure(
        of exchange: Exchange, in network: SpoiledNetwork, until deadline: Deadline, _ fault: @escaping @Sendable (Int32) async -> Void
    ) async throws -> PostgresError? {
        let connection = try await network.connect()
        let process = connection.serverProcess
        let error = await #expect(throws: PostgresError.self) {
            try await exchange.run(on: connection, of: network, until: deadline) { await fault(process) }
        }
        #expect(connection.isClosed)
        #expect(error?.classification == .unavailable)
        #expect(error?.message.contains("descriptor") == false, "\(error)")
        await network.proxy.behave(.pass)
        let next = try await network.connect()
        #expect(try await next.rows(of: PostgresQuery("one", "SELECT 1"), as: Int.self, until: .soon) == [1])
        next.close()
        return error
    }

    @Test(
        "Everything works over a slow network",
        arguments: [ProxyBehaviour.delay(.milliseconds(200)), .trickle(bytes: 50, pause: .milliseconds(1))])
    func slowness(behaviour: ProxyBehaviour) async throws {
        try await SpoiledNetwork.run { network in
            await network.proxy.behave(behaviour)
            var configuration = network.configuration
            configuration.cancelGrace = .seconds(20)
            let connection = try await PostgresConnection.connect(configuration, on: network.loop, until: .soon)
            try await connection.run(PostgresQuery("create", "CREATE TEMPORARY TABLE goods (n int8)"), until: .soon)
            try await connection.transaction(until: .soon) { connection in
                let inserts = (1...10).map { PostgresQuery("insert", "INSERT INTO goods VALUES ($1)", $0) }
                _ = try await connection.run(inserts, until: .soon)
            }
            let lines = AsyncStream { continuation in
                for number in 11...1_000 { continuation.yield(Array("\(number)\n".utf8)) }
                continuation.finish()
            }
            #expect(try await connection.copyIn("fill", "COPY goods FROM STDIN", from: lines, until: .soon) == 990)
            let query = PostgresQuery("goods", "SELECT n FROM goods ORDER BY n")
            #expect(try await connection.rows(of: query, as: Int.self, until: .soon) == Array(1...1_000))
            await expectFailure(.deadlinePassed) { () throws(PostgresError) in
                try await connection.run(PostgresQuery("sleep", "SELECT pg_sleep(60)"), until: .after(.milliseconds(10)))
            }
            #expect(connection.isUsable)
            connection.close()
        }
    }

    @Test(
        "A cancellation that arrives before its query is repeated until it takes effect", arguments: [false, true])
    func overtaken(isScript: Bool) async throws {
        try await SpoiledNetwork.run { network in
            var configuration = network.configuration
            configuration.cancelGrace = .seconds(30)
            let connection = try await PostgresConnection.connect(configuration, on: network.loop, until: .soon)
            await network.proxy.behave(.delay(.seconds(3)))
            let query = Task(executorPreference: network.loop) {
                await expectFailure(.deadlinePassed) { () throws(PostgresError) in
                    let (sql, deadline) = ("SELECT pg_sleep(60)", Deadline.after(.seconds(1)))
                    if isScript {
                        try await connection.runScript("sleep", sql, until: deadline)
                    } else {
                        try await connection.run(PostgresQuery("sleep", sql), until: deadline)
                    }
                }
            }
            try await network.loop.sleep(until: .after(.milliseconds(300)))
            await network.proxy.behave(.pass)
            _ = await query.value
            #expect(connection.isUsable)
            // One connection of the session and at least two of cancellations.
            #expect(await network.proxy.connectionCount() >= 3)
            connection.close()
        }
    }

    @Test(
        "A call that meets a network fault ends in time with a typed error, and its connection is closed", arguments: NetworkFault.allCases,
        Exchange.allCases)
    func fault(fault: NetworkFault, exchange: Exchange) async throws {
        try await SpoiledNetwork.run { network in
            let error = try await Self.failure(of: exchange, in: network, until: fault.deadline(for: exchange)) { _ in
                await fault.strike(network.proxy)
            }
            #expect(error?.code == fault.expectedCode(of: exchange), "\(error)")
        }
    }

    @Test("The next attempt succeeds once the server accepts connections again")
    func refused() async throws {
        try await SpoiledNetwork.run { network in
            await network.proxy.refuse()
            for _ in 0..<3 {
                let error = await expectFailure(.connectFailed) { () throws(PostgresError) in try await network.connect() }
                #expect(error?.message.contains("Connection refused") == true, "\(error)")
                #expect(error?.classification == .unavailable)
            }
            try await network.proxy.accept()
            try await network.connect().close()
        }
    }

    @Test("A backend that is terminated during a call is reported by its SQLSTATE or as a lost connection", arguments: Exchange.allCases)
    func terminated(exchange: Exchange) async throws {
        try await SpoiledNetwork.run { network in
            let error = try await Self.failure(of: exchange, in: network, until: .soon) { process in _ = kill(process, SIGTERM) }
            #expect(error?.sqlState?.rawValue == "57P01" || error?.code == .connectionLost, "\(error)")
        }
    }

    @Test("A server that accepts connections and sends nothing costs only the deadline")
    func silentFromTheBeginning() async throws {
        try await SpoiledNetwork.run { network in
            await network.proxy.behave(.silence)
            await expectFailure(.deadlinePassed) { () throws(PostgresError) in try await network.connect(until: .after(.milliseconds(200)))
            }
            let task = Task(executorPreference: network.loop) {
                await expectFailure(.cancelled) { () throws(PostgresError) in try await network.connect(until: .never) }
            }
            task.cancel()
            _ = await task.value
        }
    }

    @Test("The connection timeout of the URL overrides that of the configuration")
    func connectTimeout() async throws {
        try await SpoiledNetwork.run { network in
            await network.proxy.behave(.silence)
            var configuration = network.configuration
            configuration.url = try DatabaseURL(parsing: "\(configuration.url.exposed)&connect_timeout=1")
            configuration.connectTimeout = .seconds(3600)
            await expectFailure(.deadlinePassed) { [configuration] () throws(PostgresError) in
                try await PostgresConnection.connect(configuration, on: network.loop, until: .never)
            }
        }
    }

    @Test("A connection leaves no open descriptor, however it ends", .onOwnThread)
    func descriptors() throws {
        let (text, status) = try BuiltProgram.runScenario("failing-connections", try ScratchDatabase.current.socket)
        #expect(status.isSuccess)
        #expect(text == "0\n")
    }
}
