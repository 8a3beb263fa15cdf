import EventLoop
import Host
import TestSupport
import VitrineClient

/// All writers and all clients, on two event loops.
final class StressCrowd: Sendable {
    private let run: StressRun
    private let site: StressSite
    private let isWriting = Locked(true)
    private let isFollowing = Locked(true)
    /// The rating count of the last changed item in the copy of the steady client, in a run with naive numbering.
    private let lastReceived = Locked(0)
    private let loops: [EventLoop]
    private let writers: [Task<Void, Never>]
    private let clients: [Task<StressClient?, Never>]

    init(_ run: StressRun, _ site: StressSite, _ weather: Chaos.Weather, scopes: [CopyScope]) throws {
        self.run = run
        self.site = site
        let (writing, following) = (try EventLoop(name: "writers"), try EventLoop(name: "clients"))
        loops = [writing, following]
        let (isWriting, isFollowing, lastReceived, outcome) = (isWriting, isFollowing, lastReceived, run.outcome)
        let habits = run.isNaive ? NaiveNumbering.habits + NaiveNumbering.habits : Writer.Habit.allCases
        var writers = habits.enumerated().map { index, habit in
            Task(executorPreference: writing) {
                var writer = Writer(habit, in: site, seed: run.settings.seed &+ UInt64(index) &* 77, outcome)
                await Self.telling(outcome, "\(habit)") { try await writer.run(on: writing) { isWriting.withLock { $0 } } }
            }
        }
        let cache = SharedCache()
        var clients = scopes.enumerated().map { index, scope in
            Task(executorPreference: following) { () -> StressClient? in
                var client = StressClient(
                    scope, asking: Asker(outcome, through: cache, seed: run.settings.seed &+ UInt64(index)) { weather.ports },
                    seed: run.settings.seed &+ UInt64(index) &* 99, outcome)
                await Self.telling(outcome, "\(scope)") { try await client.run(on: following, while: { isFollowing.withLock { $0 } }) }
                return client
            }
        }
        let probe = run.isNaive ? nil : Probe(timeout: run.timeout, weather, outcome)
        writers.append(
            Task(executorPreference: writing) {
                await Self.telling(outcome, "probe") {
                    try await probe?.write(to: site, on: writing) { isWriting.withLock { $0 } }
                    if probe == nil { try await NaiveNumbering.publish(to: site, on: writing) { isFollowing.withLock { $0 } } }
                }
            })
        clients.append(
            Task(executorPreference: following) {
                let send = Asker(outcome) { weather.ports }
                var client = StressClient(CopyScope(storefront: "us", locale: "en"), asking: send, isSteady: true, seed: 0, outcome)
                await Self.telling(outcome, "steady") {
                    try await client.run(
                        on: following, while: { isFollowing.withLock { $0 } },
                        received: { client in
                            probe?.inspect(client)
                            if probe == nil { lastReceived.withLock { $0 = client.counts[NaiveNumbering.lastItem] ?? 0 } }
                        })
                }
                return client
            })
        self.writers = writers
        self.clients = clients
    }

    private static func telling(_ outcome: StressOutcome, _ who: String, _ body: () async throws -> Void) async {
        do { try await body() } catch { outcome.violate(.orderly, "\(who): \(error)") }
    }

    /// Whether the steady client has received the last change.
    var hasReceivedLast: Bool { lastReceived.withLock { $0 } == NaiveNumbering.lastRating }

    func endWriting() async {
        isWriting.withLock { $0 = false }
        // The naive publisher continues until all writers have ended.
        for writer in run.isNaive ? Array(writers.dropLast()) : writers { await writer.value }
    }

    /// Returns the clients after each had the time to reach the head.
    func settle(at head: Int) async -> [StressClient] {
        isFollowing.withLock { $0 = false }
        var settled: [StressClient] = []
        for client in clients {
            guard let client = await client.value else { continue }
            settled.append(
                await Task(executorPreference: loops[1]) { [run, loops] in
                    var client = client
                    await Self.telling(run.outcome, "\(client.scope)") {
                        let hasArrived = try await client.settle(at: head, on: loops[1], until: .after(.seconds(60)))
                        run.outcome.expect(hasArrived, .converges, "\(client.scope) does not get to \(head)")
                    }
                    return client
                }.value)
        }
        for writer in writers { await writer.value }
        for loop in loops { await loop.stop() }
        return settled
    }
}
