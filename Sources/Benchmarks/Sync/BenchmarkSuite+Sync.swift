import Foundation
import Host
import Postgres
import Settings

extension BenchmarkSuite {
    /// The cost of clients with a local copy: a first load, the load of a few changes, and clients that wait for a
    /// change.
    static let sync = BenchmarkSuite(name: "sync", needs: [.psql, .curl]) { session in
        let progress = session.progress
        let site = try SyncedSite(session.site(named: "sync"))
        return try MemoryFolder.run { folder in
            func start(_ name: String) throws -> VitrineServer {
                let server = try VitrineServer(name: name, in: folder, arguments, database: site.url.exposed)
                do { try site.waitUntilPublished(by: server) } catch {
                    server.kill()
                    throw error
                }
                return server
            }
            let server = try start("sync")
            defer { server.kill() }
            progress.show("first loads")
            let loads = try site.loads(100_000, from: server)
            let cursor = try site.cursorAtHead(of: server)
            progress.show("changes")
            let deltas = try site.deltas(from: server, after: cursor)
            let few = try waiting(1_000, site, after: cursor, publishedBy: server, progress) { _ in
                server
            } end: { _ in
            }
            let many = try waiting(crowd, site, after: cursor, publishedBy: server, progress) {
                try start("crowd-\($0)")
            } end: {
                $0.kill()
            }
            return try loads + deltas + [
                BenchmarkRow(what: "\(what(1_000)) to half of the responses", measured: .milliseconds(few.half), bar: .atMost(100)),
                BenchmarkRow(what: "\(what(1_000)) to the last response", measured: .milliseconds(few.last), bar: .atMost(500)),
                BenchmarkRow(what: "sync: a change to 1000 waiting clients, its drain", measured: .milliseconds(few.drains), bar: nil),
                BenchmarkRow(what: "\(what(crowd)) to the last response", measured: .milliseconds(many.last), bar: .atMost(500)),
                BenchmarkRow(what: "sync: a change to \(crowd) waiting clients, its drain", measured: .milliseconds(many.drains), bar: nil),
                // With few clients, the figure is smaller than the fluctuation of memory.
                BenchmarkRow(
                    what: "sync: memory of each of \(crowd) waiting clients", measured: .init(many.memory, unit: "KB"), bar: .atMost(20)),
            ]
        }
    }

    private static let arguments = ["--event-loops", "1", "--limits-connections", "25000"]
    private static let rounds = 3

    /// Each client needs a socket here and another at the server.
    private static var crowd: Int { min(20_000, SystemInfo.openFileLimit.hard - 500) }

    private static func what(_ count: Int) -> String { "sync: a change to \(count) waiting clients, from its commit" }

    /// The measurements of all rounds.
    private struct Measurements {
        /// The delays from the commit of a change to the responses of half of the waiting clients, and of the last one.
        var half: [Duration] = []
        var last: [Duration] = []
        /// The drains, which are a part of these delays.
        var drains: [Duration] = []
        /// The kilobytes of each client.
        var memory: [Double] = []
    }

    /// Measures the responses to waiting clients. `leader` publishes the changes.
    ///
    /// The first clients of a server pay for its shared allocations, so each round starts a new server.
    private static func waiting(
        _ count: Int, _ site: SyncedSite, after cursor: String, publishedBy leader: VitrineServer, _ progress: ProgressLine,
        start: (Int) throws -> VitrineServer, end: (VitrineServer) -> Void
    ) throws -> Measurements {
        var measurements = Measurements()
        for round in 1...rounds {
            progress.show("\(count) waiting clients, round \(round) of \(rounds)")
            let server = try start(round)
            defer { end(server) }
            let head = try site.cursorAtHead(of: server, after: cursor)
            let before = try server.memory()
            let crowd = try WaitingCrowd(count, at: server, after: head)
            measurements.memory.append(try (server.memory() - before) / Double(count))
            try site.change(1)
            let times = try crowd.times(since: .now)
            measurements.half.append(times[count / 2])
            measurements.last.append(times[count - 1])
            measurements.drains.append(try leader.duration("vitrine_sequencer_last_drain_duration_seconds"))
        }
        return measurements
    }
}
