import Foundation
import Host
import Postgres
import SQLFiles
import Settings

extension BenchmarkSuite {
    /// What clients cost that keep a copy: one that has nothing, one that lacks little, and those who wait.
    static let sync = BenchmarkSuite(name: "sync") {
        try BenchmarkCluster.run { url in
            let folder = "/dev/shm/vitrine-bench-\(Machine.processID)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) stays: \(error)") } }
            let shop = try SyncedShop(url)
            let server = try VitrineServer(
                name: "sync", in: folder, ["--loops", "1", "--limits-connections", "25000"], database: url.exposed)
            defer { server.kill() }
            try shop.waitUntilPublished(by: server)
            let loads = try shop.loads(100_000, from: server)
            let cursor = try shop.cursorAtHead(of: server)
            return try loads + shop.deltas(from: server, behind: cursor)
                + waiting(1_000, half: 100, shop, server, behind: cursor) + waiting(crowd, half: nil, shop, server, behind: cursor)
        }
    }

    /// Each needs a socket here and one at the server.
    private static var crowd: Int { min(20_000, Machine.openFileLimit.hard - 500) }

    /// From the commit of a change to the answers of all who wait for it.
    private static func waiting(
        _ count: Int, half: Double?, _ shop: SyncedShop, _ server: VitrineServer, behind cursor: String
    ) throws -> [BenchmarkRow] {
        // Whoever is let in first pays for what the server needs for all of them.
        var times: [[Duration]] = []
        var memory = BenchmarkRow.Figure(value: 0, unit: "KB")
        for _ in 0..<3 {
            let before = try server.memory()
            let crowd = try WaitingCrowd(count, at: server, behind: try shop.cursorAtHead(of: server, behind: cursor))
            if times.isEmpty { memory = .init(value: try server.memory().value - before.value, unit: "KB").divided(by: count) }
            try shop.change(1)
            times.append(try crowd.times(since: .now))
        }
        let what = "sync: \(count) wait for a change, from its commit"
        func figure(_ time: Duration) -> BenchmarkRow.Figure { .init(value: time / .milliseconds(1), unit: "ms") }
        let middle = times.map { $0[count / 2] }.sorted()[1]
        let last = times.map { $0[count - 1] }.sorted()[1]
        return [
            half.map { BenchmarkRow(what: "\(what) to half of the answers", measured: figure(middle), bar: .atMost($0)) },
            BenchmarkRow(what: "\(what) to the last answer", measured: figure(last), bar: .atMost(1_000)),
            // Of few the figure is smaller than what comes and goes with anything else.
            half == nil ? BenchmarkRow(what: "sync: memory of one of \(count) who wait", measured: memory, bar: .atMost(20)) : nil,
        ].compactMap(\.self)
    }
}
