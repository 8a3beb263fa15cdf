import EventLoop
import Host
import Postgres
import TestDatabase
import TestProxy
import TestSupport
import Testing

@Suite("A pool with a faulty network", .database)
struct PoolFaultTests {
    private static let one = PostgresQuery("one", "SELECT 1")

    @Test("After a network fault, the next request gets another connection", arguments: NetworkFault.allCases, Exchange.allCases)
    func nextConnection(fault: NetworkFault, exchange: Exchange) async throws {
        try await SpoiledNetwork.run { network in
            try await withPool(network.configuration, maximum: 1) { pool in
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.withConnection(until: .soon) { connection in
                        try await exchange.run(on: connection, of: network, until: fault.deadline(for: exchange)) {
                            await fault.strike(network.proxy)
                        }
                    }
                }
                #expect(error?.code == fault.expectedCode(of: exchange))
                await network.proxy.behave(.pass)
                try await pool.run(Self.one, until: .soon)
                #expect(pool.status.idle == 1)
            }
        }
    }

    @Test("Requests fail at their deadline while the network is silent, and succeed once it works again")
    func silence() async throws {
        try await SpoiledNetwork.run { network in
            var configuration = network.configuration
            configuration.connectTimeout = .seconds(1)
            try await withPool(configuration, minimum: 2, maximum: 4) { pool in
                try await pool.run(Self.one, until: .soon)
                await network.proxy.behave(.silence)
                await withDiscardingTaskGroup { group in
                    for _ in 0..<16 {
                        group.addTask(executorPreference: pool.loop) {
                            let error = await #expect(throws: PostgresError.self) {
                                try await pool.run(Self.one, until: .after(.seconds(1)))
                            }
                            #expect(error?.classification == .unavailable)
                        }
                    }
                }
                await network.proxy.behave(.pass)
                try await pool.run(Self.one, until: .soon)
            }
        }
    }

    @Test(
        "Random faults lose no acknowledged write, keep no refused one, and leave a working pool", .database, arguments: Seeds.fixed(3)
    )
    func random(seed: UInt64) async throws {
        try await SpoiledNetwork.run { network in
            try await network.observer.run(RandomWork.setUp, until: .soon)
            var configuration = network.configuration
            configuration.connectTimeout = .seconds(1)
            var settings = DrawnSettings(seed: seed)
            configuration.preparedStatements = settings.draw("preparedStatements", default: 512, or: [0, 1, 3])
            let maximum = settings.draw("maximum", default: 4, or: [1, 2, 8])
            let minimum = min(maximum, settings.draw("minimum", default: 0, or: [1, 2]))
            let records = Locked<[RandomWork.Record]>([])
            let isOver = Locked(false)
            try await withPool(configuration, minimum: minimum, maximum: maximum) { [settings] pool in
                try await withThrowingDiscardingTaskGroup { group in
                    for worker in 0..<8 {
                        group.addTask(executorPreference: pool.loop) {
                            let work = RandomWork(settings, worker: worker, timeout: .seconds(1))
                            while !isOver.withLock({ $0 }) { await Self.use(pool, work) }
                            records.withLock { $0.append(work.record) }
                        }
                    }
                    try await Self.spoil(network, seed: seed)
                    isOver.withLock { $0 = true }
                }
                try await pool.run(Self.one, until: .soon)
            }
            try await network.waitForEnd()
            for record in records.withLock({ $0 }) { try await record.check(network.observer) }
        }
    }

    private static func use(_ pool: PostgresPool, _ work: RandomWork) async {
        do {
            try await pool.withConnection(until: .after(.seconds(2))) { try await work.run(on: $0) }
        } catch {
            #expect(RandomWork.expectedCodes.contains((error as? PostgresError)?.code), "\(work.record.settings): \(error)")
        }
    }

    /// Causes random faults, then restores the network.
    private static func spoil(_ network: SpoiledNetwork, seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: await network.proxy.reset()
            case 1: await network.proxy.halfClose()
            case 2: await network.proxy.behave(.silence)
            case 3: await network.proxy.behave(.cut(afterBytes: .random(in: 0..<10_000, using: &random)))
            case 4: await network.proxy.refuse()
            default: try await network.proxy.heal()
            }
            try await network.loop.sleep(until: .after(.milliseconds(.random(in: 0..<100, using: &random))))
        }
        try await network.proxy.heal()
    }
}
