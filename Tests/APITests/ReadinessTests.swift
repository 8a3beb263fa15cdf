import EventLoop
import HTTPMessages
import Host
import Testing

@testable import API
@testable import HTTP
@testable import Server

@Suite("Readiness")
struct ReadinessTests {
    /// A database with a given state, which counts its checks.
    private final class Database: Sendable {
        let state: Locked<ReadinessCheck.State>
        let requested = Locked(0)

        init(_ state: ReadinessCheck.State) { self.state = Locked(state) }

        var readiness: ReadinessCheck {
            ReadinessCheck { _ in
                self.requested.withLock { $0 += 1 }
                return self.state.withLock { $0 }
            }
        }
    }

    private func application(_ readiness: ReadinessCheck) -> Application {
        let metrics = Metrics(requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] })
        return Application(Route.operations(readiness, metrics))
    }

    /// Runs the check periodically during a body.
    private func watching(
        _ readiness: ReadinessCheck, pausing pause: Duration = .milliseconds(5), _ body: (EventLoop) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "ready")
        let watch = Task(executorPreference: loop) { await readiness.watch(on: loop, pausing: pause) }
        let result: Result<Void, any Error>
        do { result = .success(try await body(loop)) } catch { result = .failure(error) }
        watch.cancel()
        await watch.value
        await loop.stop()
        try result.get()
    }

    private func wait(for state: ReadinessCheck.State, of readiness: ReadinessCheck, _ loop: EventLoop) async throws {
        let limit = Deadline.after(.seconds(30))
        while readiness.state != state {
            try #require(Deadline.now < limit)
            try await loop.sleep(until: .after(.milliseconds(1)))
        }
    }

    @Test("A server is ready once its checks pass, and live in every state")
    func ready() async throws {
        let database = Database(.ready)
        let readiness = database.readiness
        let application = application(readiness)
        #expect(try await application.send("GET /readyz").text.contains("starting"))
        try await watching(readiness) { loop in
            try await wait(for: .ready, of: readiness, loop)
            let response = try await application.send("GET /readyz")
            #expect(response.status == .ok && response.text == "ready\n" && response[.cacheControl] == ["no-store"])
            database.state.withLock { $0 = .degraded("the database does not respond") }
            try await wait(for: .degraded("the database does not respond"), of: readiness, loop)
            let degraded = try await application.send("GET /readyz")
            #expect(degraded.status == .ok && degraded.text == "degraded: the database does not respond\n")
            database.state.withLock { $0 = .notReady("the database does not respond") }
            try await wait(for: .notReady("the database does not respond"), of: readiness, loop)
            let error = try await application.send("GET /readyz")
            #expect(error.status == .unavailable && error[.retryAfter] == ["1"])
            #expect(error.text.contains("notReady") && error.text.contains("the database does not respond"))
            #expect(try await application.send("GET /healthz").status == .ok)
        }
    }

    @Test(
        "A server with pages in memory is ready without its database, but not with an unsuitable schema",
        arguments: [
            (DatabaseState.current, true, ReadinessCheck.State.ready), (.current, false, .notReady("the pages are not loaded yet")),
            (.away, true, .degraded("the database does not respond")), (.away, false, .notReady("the database does not respond")),
            (.unsuitable("why"), true, .notReady("why")), (.unsuitable("why"), false, .notReady("why")),
        ])
    func states(database: DatabaseState, pagesAreRead: Bool, state: ReadinessCheck.State) {
        #expect(ReadinessCheck.State(database, pagesAreRead: pagesAreRead) == state)
    }

    @Test(
        "Metrics contain the readiness",
        arguments: [(ReadinessCheck.State.ready, 1, 0), (.degraded("why"), 1, 1), (.notReady("why"), 0, 0)])
    func metrics(state: ReadinessCheck.State, ready: Double, degraded: Double) async throws {
        let readiness = Database(state).readiness
        let metrics = Metrics(
            requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] }, readiness: readiness,
            droppedLogLines: { 7 })
        try await watching(readiness) { loop in
            while readiness.state != state { try await loop.sleep(until: .after(.milliseconds(1))) }
            let found = try Exposition(await metrics.text())
            #expect(found.value("vitrine_ready") == ready && found.value("vitrine_degraded", ["reason": "database"]) == degraded)
            #expect(found.value("vitrine_log_dropped_lines_total") == 7)
        }
    }

    @Test("A probe gets the last known state without waiting for a slow database")
    func slowDatabase() async throws {
        let readiness = ReadinessCheck { loop in
            do { try await loop.sleep(until: .never) } catch {}
            return .ready
        }
        try await watching(readiness) { _ in
            for _ in 0..<1_000 { #expect(readiness.state == .notReady("starting")) }
        }
    }

    @Test("A changed state is reported once")
    func changes() async throws {
        let database = Database(.ready)
        let reported = Locked<[ReadinessCheck.State]>([])
        let readiness = ReadinessCheck(changed: { state in reported.withLock { $0.append(state) } }) { _ in
            database.requested.withLock { $0 += 1 }
            return database.state.withLock { $0 }
        }
        try await watching(readiness) { loop in
            try await wait(for: .ready, of: readiness, loop)
            database.state.withLock { $0 = .notReady("away") }
            try await wait(for: .notReady("away"), of: readiness, loop)
            let received = database.requested.withLock { $0 }
            while database.requested.withLock({ $0 }) < received + 3 { try await loop.sleep(until: .after(.milliseconds(1))) }
        }
        #expect(reported.withLock { $0 } == [.ready, .notReady("away")])
    }

    @Test("A stopping server is not ready, whatever the database state, and reports no more changes")
    func stopping() async throws {
        let database = Database(.ready)
        let reported = Locked<[ReadinessCheck.State]>([])
        let readiness = ReadinessCheck(changed: { state in reported.withLock { $0.append(state) } }) { _ in
            database.requested.withLock { $0 += 1 }
            return database.state.withLock { $0 }
        }
        let application = application(readiness)
        try await watching(readiness) { loop in
            try await wait(for: .ready, of: readiness, loop)
            readiness.startShutdown()
            let response = try await application.send("GET /readyz")
            #expect(response.status == .unavailable && response.text.contains("stopping"))
            database.state.withLock { $0 = .notReady("away") }
            let received = database.requested.withLock { $0 }
            while database.requested.withLock({ $0 }) < received + 3 { try await loop.sleep(until: .after(.milliseconds(1))) }
        }
        #expect(reported.withLock { $0 } == [.ready])
    }
}
