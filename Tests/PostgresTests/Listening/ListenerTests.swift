import EventLoop
import Glibc
import Host
import Postgres
import Settings
import TestDatabase
import TestSupport
import Testing

@Suite("A listener", .databaseForEachTest, .onOwnThread)
struct ListenerTests {
    /// The events that a listener has reported so far.
    private final class Heard: Sendable {
        let events = Locked<[ListenerEvent]>([])

        func add(_ event: ListenerEvent) { events.withLock { $0.append(event) } }

        func wait(on loop: EventLoop, until isEnough: ([ListenerEvent]) -> Bool) async throws {
            let end = Deadline.soon
            while !isEnough(events.withLock { $0 }) {
                try #require(Deadline.now < end, "\(events.withLock { $0 })")
                try await loop.sleep(until: .after(.milliseconds(5)))
            }
        }
    }

    /// Runs a body with a listener to two channels and another connection.
    private static func withListener(
        _ configuration: PostgresConfiguration, timing: ListenerTiming = ListenerTiming(),
        _ body: @escaping @Sendable (Heard, PostgresConnection) async throws -> Void
    ) async throws {
        try await withConnection(configuration) { connection in
            let heard = Heard()
            let listener = PostgresListener(configuration, channels: ["one", "a \"b\""], timing: timing)
            let task = Task(executorPreference: connection.loop) { await listener.run(on: connection.loop, heard.add) }
            let result: Result<Void, any Error>
            do {
                try await heard.wait(on: connection.loop) { $0 == [.mayHaveMissed] }
                try await body(heard, connection)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            task.cancel()
            await task.value
            #expect(connection.loop.registrations == (1, 0), "what is left is the other connection's")
            try result.get()
        }
    }

    /// The configuration of the test's own database, because channels belong to a database.
    private static var configuration: PostgresConfiguration {
        get throws { try ScratchDatabase.current.configuration }
    }

    private static func notify(_ channel: String, _ payload: String, by connection: PostgresConnection) async throws {
        try await connection.run(PostgresQuery("notify", "SELECT pg_notify($1, $2)", channel, payload), until: .soon)
    }

    /// Returns the server process of the listener's session.
    private static func process(_ connection: PostgresConnection) async throws -> Int32 {
        let sql = """
            SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            """
        let query = PostgresQuery("listener", sql)
        return try #require(try await connection.rows(of: query, as: Int32.self, until: .soon).first)
    }

    @Test("A listener reports every notification of its channels, in order")
    func hears() async throws {
        try await Self.withListener(try Self.configuration) { heard, connection in
            try await Self.notify("other", "unheard", by: connection)
            for number in 0..<100 { try await Self.notify(number % 2 == 0 ? "one" : "a \"b\"", "\(number)", by: connection) }
            try await heard.wait(on: connection.loop) { $0.count > 100 }
            let expected = (0..<100).map {
                ListenerEvent.notified(PostgresNotification(channel: $0 % 2 == 0 ? "one" : "a \"b\"", payload: "\($0)"))
            }
            #expect(heard.events.withLock { $0 } == [.mayHaveMissed] + expected)
        }
    }

    @Test("A listener reports that it may have missed notifications after its session ended, and then reports new ones")
    func ended() async throws {
        try await Self.withListener(try Self.configuration) { heard, connection in
            let process = try await Self.process(connection)
            try await connection.run(PostgresQuery("end", "SELECT pg_terminate_backend($1)", process), until: .soon)
            try await heard.wait(on: connection.loop) { $0.count == 3 }
            try await Self.notify("one", "again", by: connection)
            try await heard.wait(on: connection.loop) { $0.count == 4 }
            let events = heard.events.withLock { $0 }
            guard case .lost(let error) = events[1] else {
                Issue.record("\(events)")
                return
            }
            #expect(error.classification == .unavailable)
            #expect(events[2...] == [.mayHaveMissed, .notified(PostgresNotification(channel: "one", payload: "again"))])
        }
    }

    @Test("A listener detects a silent session and starts another")
    func silent() async throws {
        var timing = ListenerTiming()
        timing.silence = .milliseconds(100)
        timing.timeout = .milliseconds(400)
        // A stopped process may hold a lock that all others of its cluster wait for.
        let server = try DisposableServer()
        var configuration = PostgresConfiguration.patient(try server.url)
        configuration.cancelGrace = .milliseconds(100)
        defer { do { try server.remove() } catch { Issue.record(error) } }
        try await Self.withListener(configuration, timing: timing) { heard, connection in
            let process = try await Self.process(connection)
            _ = kill(process, SIGSTOP)
            defer { _ = kill(process, SIGCONT) }
            try await heard.wait(on: connection.loop) { $0.count > 2 && $0.last == .mayHaveMissed }
            guard case .lost(let error) = heard.events.withLock({ $0[1] }) else {
                Issue.record("it was not lost")
                return
            }
            #expect(error.code == .deadlinePassed)
            #expect(error.query == "heartbeat")
        }
    }

    @Test("A listener keeps its session through silence while the server responds")
    func quiet() async throws {
        var timing = ListenerTiming()
        timing.silence = .milliseconds(1)
        try await Self.withListener(try Self.configuration, timing: timing) { heard, connection in
            try await connection.loop.sleep(until: .after(.milliseconds(200)))
            try await Self.notify("one", "late", by: connection)
            try await heard.wait(on: connection.loop) { $0.count > 1 }
            #expect(
                heard.events.withLock { $0 } == [.mayHaveMissed, .notified(PostgresNotification(channel: "one", payload: "late"))])
        }
    }

    @Test("A listener keeps retrying with pauses while no server runs")
    func noServer() async throws {
        let server = try DisposableServer()
        let url = try server.url
        defer { do { try server.remove() } catch { Issue.record(error) } }
        try server.stop()
        try await withLoop { loop in
            let heard = Heard()
            let listener = PostgresListener(.patient(url), channels: ["one"])
            let task = Task(executorPreference: loop) { await listener.run(on: loop, heard.add) }
            try await heard.wait(on: loop) { $0.count == 2 }
            try server.start()
            try await heard.wait(on: loop) { $0.last == .mayHaveMissed }
            for event in heard.events.withLock({ $0.dropLast() }) {
                guard case .lost(let error) = event else {
                    Issue.record("\(event)")
                    continue
                }
                #expect(error.classification == .unavailable)
            }
            task.cancel()
            await task.value
        }
    }

    @Test("A listener detects a lost server and reconnects within 15 seconds")
    func bound() throws {
        let timing = ListenerTiming()
        let grace = try PostgresConfiguration(url: DatabaseURL(parsing: "postgresql://shop/catalog")).cancelGrace
        #expect(timing.silence + timing.timeout + grace + timing.attempt + timing.backOff.first <= .seconds(15))
    }
}
