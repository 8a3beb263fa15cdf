import EventLoop
import HTTPMessages
import Host
import Testing

@testable import API
@testable import HTTP

@Suite("Readiness")
struct ReadinessTests {
    /// What the database would say, and how often it was asked.
    private final class Database: Sendable {
        let state: Locked<ServerReadiness.State>
        let asked = Locked(0)

        init(_ state: ServerReadiness.State) { self.state = Locked(state) }

        var readiness: ServerReadiness {
            ServerReadiness { _ in
                self.asked.withLock { $0 += 1 }
                return self.state.withLock { $0 }
            }
        }
    }

    private func application(_ readiness: ServerReadiness) -> Application {
        let metrics = Metrics(requests: RequestMetrics(), counters: { ServerCounters() }, pools: { [] }, loops: { [] })
        return Application(Route.operations(readiness, metrics))
    }

    @Test("a server that can serve is ready, and lives either way")
    func ready() async throws {
        let ready = application(Database(.ready).readiness)
        let answer = try await ready.ask("GET /readyz")
        #expect(answer.status == .ok && answer.text == "ready\n" && answer[.cacheControl] == ["no-store"])
        let away = application(Database(.notReady("the database does not answer")).readiness)
        let refusal = try await away.ask("GET /readyz")
        #expect(refusal.status == .unavailable && refusal[.retryAfter] == ["1"])
        #expect(refusal.text.contains("notReady") && refusal.text.contains("the database does not answer"))
        #expect(try await away.ask("GET /healthz").status == .ok)
    }

    @Test("a second of questions is one to the database")
    func cached() async throws {
        let database = Database(.ready)
        let readiness = database.readiness
        let group = try EventLoopGroup(name: "ready", count: 1)
        let began = Deadline.now
        // However slow the machine is, there is at most one more for each second that went by.
        for _ in 0..<1_000 { #expect(await readiness.state(on: group.loops[0]) == .ready) }
        let seconds = Int(Deadline.now.duration(since: began) / .seconds(1))
        let asked = database.asked.withLock { $0 }
        #expect(asked >= 1 && asked <= 1 + seconds)
        await group.stop()
    }

    @Test("a change is seen after a second")
    func change() async throws {
        let database = Database(.ready)
        let readiness = database.readiness
        let group = try EventLoopGroup(name: "ready", count: 1)
        _ = await readiness.state(on: group.loops[0])
        database.state.withLock { $0 = .notReady("away") }
        let limit = Deadline.after(.seconds(30))
        while await readiness.state(on: group.loops[0]) == .ready {
            try #require(Deadline.now < limit)
            try await group.loops[0].sleep(until: .after(.milliseconds(20)))
        }
        #expect(database.asked.withLock { $0 } == 2)
        await group.stop()
    }

    @Test("one that stops is not ready from that moment on, whatever the database says")
    func stopping() async throws {
        let database = Database(.ready)
        let readiness = database.readiness
        let application = application(readiness)
        #expect(try await application.ask("GET /readyz").status == .ok)
        readiness.beginStopping()
        let answer = try await application.ask("GET /readyz")
        #expect(answer.status == .unavailable && answer.text.contains("stopping"))
        #expect(database.asked.withLock { $0 } == 1)
    }
}
