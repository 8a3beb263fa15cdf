import Foundation
import Host
import Settings

extension BenchmarkSuite {
    /// What publishing a large catalog costs, and what clients of a feed of ten shelves then wait for.
    static let pages = BenchmarkSuite(name: "pages") {
        try BenchmarkCluster.run { url in
            let shop = try MeasuredShop(url)
            return try published(shop) + Folder.run { folder in try cached(shop, folder) + fresh(shop, folder) } + ColdPage.rows(shop)
        }
    }

    /// All that was imported, published by one worker at once.
    private static func published(_ shop: MeasuredShop) throws -> [BenchmarkRow] {
        try shop.publish()
        let start = ContinuousClock.now
        let worker = try BuiltProgram(["worker"], url: shop.url).start()
        defer { do { try RunningProcess.send(.kill, to: worker.id) } catch { print("process \(worker.id): \(error)") } }
        try shop.waitUntilPublished()
        let time = start.duration(to: .now).figure
        return [
            BenchmarkRow(
                what: "pages: \(GeneratedItems.count) items and a feed, published", measured: time, against: ("imported", shop.imported),
                bar: .ratioAtLeast(1.0 / 3)),
            BenchmarkRow(
                what: "pages: the tables of what is published", measured: try shop.size(of: ["published", "availability_bounds"]),
                against: ("of the catalog", try shop.size(of: MeasuredShop.catalogTables)), bar: .ratioAtLeast(1.0 / 3)),
        ]
    }

    /// A page in memory, compressed as well as can be, against the same bytes in a file.
    private static func cached(_ shop: MeasuredShop, _ folder: String) throws -> [BenchmarkRow] {
        let server = try VitrineServer(name: "pinned", in: folder, core: 0, database: shop.url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        let bytes = try shop.thoroughPage(of: server, in: folder)
        let certificate = try Certificate(in: folder)
        let nginx = try Nginx(in: folder, certificate, fields: [("content-encoding", "br"), ("vary", "accept-encoding, vitrine-layout")])
        defer { nginx.process.kill() }
        usleep(500_000)
        let contest = HTTPContest(
            vitrine: MeasuredServer(name: "vitrine", ports: (server.port, server.port), processes: [server.id]), nginx: nginx.measured)
        let name = "page of \(bytes / 1_024) KB of br"
        let headers = ["Accept-Encoding: br"]
        return try contest.rows(
            Load(name: name, path: MeasuredShop.path, headers: headers, kind: .http1(isEncrypted: false), bar: 1))
            + contest.rows(Load(name: "\(name), 304", path: MeasuredShop.path, headers: headers, kind: .unchanged, bar: 1.3))
    }

    /// From the commit of an item's new title to a page that has it: of one server, of two, where the one that publishes is killed, and what a
    /// planned switch takes.
    private static func fresh(_ shop: MeasuredShop, _ folder: String) throws -> [BenchmarkRow] {
        let item = try EditedItem(shop)
        var servers: [VitrineServer] = []
        defer { for server in servers { server.kill() } }
        func start() throws {
            servers.append(try VitrineServer(name: "fresh-\(servers.count)", in: folder, database: shop.url.exposed))
            try servers[servers.count - 1].waitUntilReady()
        }
        try start()
        let alone = try item.times(50, on: servers)
        try start()
        let both = try item.times(20, on: servers)
        let switches = try (0..<10).map { try item.timeOfSwitch($0, on: servers[1]) }.sorted()
        let takeovers = try (0..<5).map { round in
            servers[round].kill()
            let time = try item.time(on: [servers[round + 1]])
            try start()
            return time
        }.sorted()
        try item.close()
        let what = "pages: an item of \(GeneratedItems.count) edited, on the page"
        return [
            BenchmarkRow(what: "\(what), half of the times", measured: figure(alone[alone.count / 2]), bar: .atMost(150)),
            BenchmarkRow(what: "\(what), at the latest", measured: figure(alone.last ?? .zero), bar: .atMost(1_000)),
            BenchmarkRow(what: "\(what) of two servers, at the latest", measured: figure(both.last ?? .zero), bar: .atMost(1_000)),
            BenchmarkRow(
                what: "\(what) behind kill -9 of who publishes, at the latest", measured: figure(takeovers.last ?? .zero),
                bar: .atMost(2_000)),
            BenchmarkRow(what: "pages: a planned switch, at the earliest", measured: figure(switches[0]), bar: .atLeast(0)),
            BenchmarkRow(what: "pages: a planned switch, at the latest", measured: figure(switches.last ?? .zero), bar: .atMost(1_000)),
        ]
    }

    private static func figure(_ time: Duration) -> BenchmarkRow.Figure { .init(value: time / .milliseconds(1), unit: "ms") }
}

/// In memory, for the length of a measurement.
private enum Folder {
    static func run<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = "/dev/shm/vitrine-bench-\(Machine.processID)"
        try FileManager.default.createDirectory(atPath: "\(folder)/v1/us/feeds", withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) stays: \(error)") } }
        return try body(folder)
    }
}
