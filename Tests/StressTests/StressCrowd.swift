import EventLoop
import Host
import TestSupport
import VitrineClient

/// All who write and all who follow, on two loops.
final class StressCrowd: Sendable {
    private let run: StressRun
    private let shop: StressShop
    private let isWriting = Locked(true)
    private let isFollowing = Locked(true)
    /// How often the item was rated that is changed last where numbers are naive, as the steady client has it.
    private let lastSeen = Locked(0)
    private let loops: [EventLoop]
    private let writers: [Task<Void, Never>]
    private let clients: [Task<StressClient?, Never>]

    init(_ run: StressRun, _ shop: StressShop, _ weather: Chaos.Weather, scopes: [CopyScope]) throws {
        self.run = run
        self.shop = shop
        let (writing, following) = (try EventLoop(name: "writers"), try EventLoop(name: "clients"))
        loops = [writing, following]
        let (isWriting, isFollowing, lastSeen, verdict) = (isWriting, isFollowing, lastSeen, run.verdict)
        let habits = run.isNaive ? NaiveNumbering.habits + NaiveNumbering.habits : Writer.Habit.allCases
        var writers = habits.enumerated().map { place, habit in
            Task(executorPreference: writing) {
                var writer = Writer(habit, in: shop, seed: run.settings.seed &+ UInt64(place) &* 77, verdict)
                await Self.telling(verdict, "\(habit)") { try await writer.run(on: writing) { isWriting.withLock { $0 } } }
            }
        }
        let cache = SharedCache()
        var clients = scopes.enumerated().map { place, scope in
            Task(executorPreference: following) { () -> StressClient? in
                var client = StressClient(
                    scope, asking: Asker(verdict, through: cache, seed: run.settings.seed &+ UInt64(place)) { weather.ports },
                    seed: run.settings.seed &+ UInt64(place) &* 99, verdict)
                await Self.telling(verdict, "\(scope)") { try await client.run(on: following, while: { isFollowing.withLock { $0 } }) }
                return client
            }
        }
        let probe = run.isNaive ? nil : Probe(patience: run.patience, weather, verdict)
        writers.append(
            Task(executorPreference: writing) {
                await Self.telling(verdict, "probe") {
                    try await probe?.write(to: shop, on: writing) { isWriting.withLock { $0 } }
                    if probe == nil { try await NaiveNumbering.publish(to: shop, on: writing) { isFollowing.withLock { $0 } } }
                }
            })
        clients.append(
            Task(executorPreference: following) {
                let ask = Asker(verdict) { weather.ports }
                var client = StressClient(CopyScope(storefront: "us", locale: "en"), asking: ask, isSteady: true, seed: 0, verdict)
                await Self.telling(verdict, "steady") {
                    try await client.run(
                        on: following, while: { isFollowing.withLock { $0 } },
                        seen: { client in
                            probe?.look(client)
                            if probe == nil { lastSeen.withLock { $0 = client.counts[NaiveNumbering.lastItem] ?? 0 } }
                        })
                }
                return client
            })
        self.writers = writers
        self.clients = clients
    }

    private static func telling(_ verdict: Verdict, _ who: String, _ body: () async throws -> Void) async {
        do { try await body() } catch { verdict.violate(.orderly, "\(who): \(error)") }
    }

    /// Whether the steady client has read as far as the last of all changes.
    var hasSeenLast: Bool { lastSeen.withLock { $0 } == NaiveNumbering.lastRating }

    func endWriting() async {
        isWriting.withLock { $0 = false }
        // The naive one tells of what was written until all have ended.
        for writer in run.isNaive ? Array(writers.dropLast()) : writers { await writer.value }
    }

    /// The clients, when all have had the time to get to the head.
    func settle(at head: Int) async -> [StressClient] {
        isFollowing.withLock { $0 = false }
        var settled: [StressClient] = []
        for client in clients {
            guard let client = await client.value else { continue }
            settled.append(
                await Task(executorPreference: loops[1]) { [run, loops] in
                    var client = client
                    await Self.telling(run.verdict, "\(client.scope)") {
                        let isThere = try await client.settle(at: head, on: loops[1], until: .after(.seconds(60)))
                        run.verdict.expect(isThere, .converges, "\(client.scope) does not get to \(head)")
                    }
                    return client
                }.value)
        }
        for writer in writers { await writer.value }
        for loop in loops { await loop.stop() }
        return settled
    }
}
