import EventLoop
import Postgres
import TestDatabase
import TestProxy
import TestSupport
import Testing

@Suite(.database) struct RandomFaultTests {
    private enum Fault {
        case cut(afterBytes: Int)
        case reset(after: Duration)
    }

    @Test(
        "A cut connection has a typed error, keeps acknowledged writes, discards refused ones, and the next connection works")
    func cuts() async throws {
        try await SpoiledNetwork.run { network in
            try await network.observer.run(RandomWork.setUp, until: .soon)
            var failures = 0
            for seed in Seeds.fixed(40) {
                var settings = DrawnSettings(seed: seed)
                var configuration = network.configuration
                configuration.preparedStatements = settings.draw("preparedStatements", default: 512, or: [0, 1, 3])
                let network = SpoiledNetwork(proxy: network.proxy, configuration: configuration, observer: network.observer)
                let work = RandomWork(settings)
                let fault =
                    seed.isMultiple(of: 2) ? Fault.cut(afterBytes: work.size(upTo: 6)) : .reset(after: .milliseconds(work.size(upTo: 2)))
                if let error = try await Self.failure(of: work, fault, in: network) {
                    failures += 1
                    #expect(RandomWork.expectedCodes.contains(error.code), "\(settings), \(fault): \(error)")
                }
                await network.proxy.behave(.pass)
                try await network.connect().close()
                try await network.waitForEnd()
                try await work.record.check(network.observer)
            }
            #expect(failures >= 10)
        }
    }

    private static func failure(of work: RandomWork, _ fault: Fault, in network: SpoiledNetwork) async throws -> PostgresError? {
        switch fault {
        case .cut(let count):
            await network.proxy.behave(.cut(afterBytes: count))
            return await failure(of: work, in: network)
        case .reset(let time):
            async let strike: Void = network.reset(after: time)
            let error = await failure(of: work, in: network)
            try await strike
            return error
        }
    }

    private static func failure(of work: RandomWork, in network: SpoiledNetwork) async -> PostgresError? {
        do {
            let connection = try await network.connect()
            defer { connection.close() }
            do { try await work.run(on: connection) } catch {
                #expect(connection.isClosed)
                throw error
            }
            return nil
        } catch {
            let failure = error as? PostgresError
            #expect(failure != nil, "\(error)")
            return failure
        }
    }
}
