import EventLoop
import Postgres
import Settings
import TestDatabase
import TestProxy
import Testing

/// A connection path to a database that a test can disturb, and a direct one that observes the server.
struct SpoiledNetwork: Sendable {
    let proxy: Proxy
    let configuration: PostgresConfiguration
    /// The direct connection, which bypasses the proxy.
    let observer: PostgresConnection

    var loop: EventLoop { observer.loop }

    /// Runs a body with a path to the database of the suite or the test.
    static func run(_ body: @escaping @Sendable (SpoiledNetwork) async throws -> Void) async throws {
        let database = try ScratchDatabase.current
        try await run(to: .socket(database.socket), observing: database.url, body) { port in
            try DatabaseURL(parsing: "postgresql://vitrine@127.0.0.1:\(port)/\(database.name)")
        }
    }

    /// Runs a body with a path to a server, whose URL depends on the port of the proxy. Expects that no session of it is left on the
    /// server afterwards.
    static func run(
        to server: ServerAddress, observing database: DatabaseURL, _ body: @escaping @Sendable (SpoiledNetwork) async throws -> Void,
        by url: @escaping @Sendable (UInt16) throws -> DatabaseURL
    ) async throws {
        try await withConnection(.patient(database)) { observer in
            try await Proxy.run(to: server) { proxy in
                let configuration = try configuration(try url(proxy.port))
                let network = SpoiledNetwork(proxy: proxy, configuration: configuration, observer: observer)
                try await body(network)
                try await network.waitForEnd()
            }
        }
    }

    private static func configuration(_ url: DatabaseURL) throws -> PostgresConfiguration {
        // The server checks the connection of the client during queries too, so a session that stays is one that a client left open.
        let separator = url.exposed.contains("?") ? "&" : "?"
        let url = try DatabaseURL(parsing: "\(url.exposed)\(separator)options=-c%20client_connection_check_interval%3D100")
        var configuration = PostgresConfiguration.patient(url)
        configuration.applicationName = "test \(UInt64.random(in: .min ... .max))"
        configuration.cancelGrace = .milliseconds(500)
        return configuration
    }

    func connect(until deadline: Deadline = .soon) async throws(PostgresError) -> PostgresConnection {
        try await PostgresConnection.connect(configuration, on: loop, until: deadline)
    }

    func reset(after duration: Duration) async throws {
        try await loop.sleep(until: .after(duration))
        await proxy.reset()
    }

    /// Waits until the server has ended every session of this test.
    func waitForEnd() async throws { try await waitUntil("count(*) = 0") }

    /// Makes a call and causes a fault once the server has reached a `pg_sleep` in it.
    func whenAsleep(_ fault: @escaping @Sendable () async -> Void, _ call: @escaping @Sendable () async throws -> Void) async throws {
        async let result: Void = call()
        try await waitUntil("count(*) FILTER (WHERE wait_event = 'PgSleep') > 0")
        await fault()
        try await result
    }

    /// Waits until a condition is true for the sessions of this test. It can be called on any event loop.
    private func waitUntil(_ condition: String) async throws {
        let query = PostgresQuery(
            "sessions", "SELECT \(condition) FROM pg_stat_activity WHERE application_name = $1", configuration.applicationName)
        try await Task(executorPreference: loop) {
            let deadline = Deadline.soon
            var holds: [Bool] = []
            while holds != [true] {
                try await loop.sleep(until: .after(.milliseconds(5)))
                holds = try await observer.rows(of: query, as: Bool.self, until: deadline)
            }
        }.value
    }
}
