import EventLoop
import Host
import Postgres
import Settings
import TestProxy

/// Connections that end in every way, to the server with the socket at a path. Prints the number of open descriptors that remain.
enum FailingConnections {
    static func run(server: String) async throws {
        let loop = try EventLoop(name: "clients")
        try await Task(executorPreference: loop) {
            // Descriptors that the system and the libraries open once and keep are not counted.
            try await failInEveryWay(server, loop)
            let before = try openDescriptors
            for _ in 0..<20 { try await failInEveryWay(server, loop) }
            // The thread of the last lookup may end a little later.
            let deadline = Deadline.after(.seconds(20))
            while try openDescriptors > before, deadline > .now { try await loop.sleep(until: .after(.milliseconds(5))) }
            print(max(0, try openDescriptors - before))
        }.value
        await loop.stop()
    }

    private static var openDescriptors: Int {
        get throws { try Files.names(in: "/proc/self/fd").count }
    }

    private static func failInEveryWay(_ server: String, _ loop: EventLoop) async throws {
        let soon = Duration.seconds(10)
        let time = Duration.milliseconds(50)
        try await Proxy.run(to: .socket(server)) { proxy in
            let url = "postgresql://vitrine@127.0.0.1:\(proxy.port)/vitrine"
            await use("postgresql:///none?host=/nowhere,localhost&port=5432,1&user=nobody", loop, within: soon)
            await use("\(url)_of_others", loop, within: soon)
            await use(url, loop, within: soon)
            await use(url, loop, within: soon) { await proxy.reset() }
            await use(url, loop, within: soon) { await proxy.halfClose() }
            await use(url, loop, within: soon) { await proxy.behave(.cut(afterBytes: 0)) }
            await proxy.behave(.pass)
            await use(url, loop, within: time) { await proxy.behave(.silence) }
            await use(url, loop, within: time)
            await proxy.refuse()
            await use(url, loop, within: soon)
        }
    }

    /// Connects and runs a query after a fault, as far as possible.
    private static func use(_ url: String, _ loop: EventLoop, within duration: Duration, after fault: () async -> Void = {}) async {
        do {
            var configuration = PostgresConfiguration(url: try DatabaseURL(parsing: url))
            configuration.cancelGrace = .milliseconds(50)
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(duration))
            defer { connection.close() }
            await fault()
            try await connection.run(PostgresQuery("one", "SELECT 1"), until: .after(duration))
        } catch {
            precondition(error is PostgresError, "\(error)")
        }
    }
}
