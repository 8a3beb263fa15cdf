import Foundation
import Host
import Postgres
import Settings

extension BenchmarkSuite {
    /// A feed of ten shelves on `vitrine serve`: serving it to distinct clients and while images are drawn, resolving it, the delay of a
    /// change, and the cost of publishing a catalog.
    static let pages = BenchmarkSuite(name: "pages", needs: [.psql, .wrk, .curl, .taskset, .chrt]) { session in
        let site = try session.site(named: "pages")
        // The file of the catalog differs from it after the first edit.
        let changed = try MemoryFolder.run { folder in try changedLine(site, folder, session.progress) }
        let rows = try MemoryFolder.run { folder in
            try DistinctClients.rows("pages", site.url, DistinctClients.generatedPages, in: folder, session.progress)
                + FullImageQueue.rows(site.url, in: folder, session.progress)
                + fresh(site, folder, session.progress)
        }
        session.progress.show("a page that is not cached")
        let cold = try ColdPage.rows(site)
        session.progress.show("a resolved page")
        let resolved = try ResolvedPage.row()
        let edited = try MemoryFolder.run { folder in try importing(site, folder, session.progress) }
        return try changed + rows + cold + [resolved] + edited + published(session)
    }

    /// Measures the import of the catalog's own file with one changed line, and the delay from its commit to a page that shows the
    /// change: a title, and a rating with which an item enters a shelf or leaves it. The bars are those of a file of at least a million
    /// items.
    private static func changedLine(_ site: MeasuredSite, _ folder: String, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        let (item, rated) = (try EditedItem(site), try RatedItem(site))
        let server = try VitrineServer(name: "changed", in: folder, database: site.url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        try site.waitUntilSettled()
        let (times, ratedTimes) = try GeneratedItems.with(site.url) { file in
            let ratedTimes = try (1...3).map { round in
                progress.show("a file with one changed rating, round \(round) of 3")
                return try rated.timesOfImport(isBest: round != 2, file, on: server)
            }
            // The rating is again that of the file.
            _ = try BuiltProgram(["db", "load", file], url: site.url).run()
            let times = try (1...3).map { round in
                progress.show("a file with one changed line, round \(round) of 3")
                return try item.timesOfImport(file, on: server)
            }
            return (times, ratedTimes)
        }
        try item.close()
        try rated.close()
        let what = "pages: a file of \(GeneratedItems.count) items with one changed line"
        let isLarge = GeneratedItems.count >= 1_000_000
        return try [
            BenchmarkRow(what: "\(what), imported", measured: .seconds(times.map(\.imported)), bar: isLarge ? .allAtMost(3) : nil),
            BenchmarkRow(
                what: "\(what), on the page after its commit", measured: .milliseconds(times.map(\.shown)),
                bar: isLarge ? .allAtMost(1_000) : nil),
            BenchmarkRow(
                what: "\(what), a rating that changes the shelf, on the page after its commit",
                measured: .milliseconds(ratedTimes.map(\.shown)), bar: isLarge ? .allAtMost(1_000) : nil),
        ]
    }

    /// Measures the delays of two edits until the page shows them, while as many other items as the catalog has are imported: that of
    /// an item's new title from its commit, and that of a rating which changes a shelf from the end of `vitrine item set`.
    private static func importing(_ site: MeasuredSite, _ folder: String, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        let (item, rated) = (try EditedItem(site), try RatedItem(site))
        let server = try VitrineServer(name: "importing", in: folder, database: site.url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        let environment = try rated.environment(of: server)
        let (delays, ratedDelays) = try GeneratedItems.with(site.url, seed: 2) { file in
            progress.show("edited items while \(GeneratedItems.count) items are imported")
            return try BuiltProgram(["db", "load", file], url: site.url).run { importing in
                var (delays, ratedDelays): ([Duration], [Duration]) = ([], [])
                var status: ProcessStatus?
                while status == nil {
                    delays.append(try item.time(on: [server]))
                    ratedDelays.append(try rated.time(isBest: ratedDelays.count.isMultiple(of: 2), on: server, environment))
                    status = importing.ended()
                }
                guard status?.isSuccess == true else { throw BenchmarkFailure(reason: "the import failed") }
                return (delays, ratedDelays)
            }
        }
        try item.close()
        try rated.close()
        let what = "while \(GeneratedItems.count) items are imported, on the page"
        return try [
            BenchmarkRow(what: "pages: an item edited \(what)", measured: .milliseconds(delays), bar: .allAtMost(400)),
            BenchmarkRow(
                what: "pages: an item whose rating is edited \(what) in its shelf", measured: .milliseconds(ratedDelays),
                bar: .allAtMost(1_000)),
        ]
    }

    /// Measures the publication of all items of an import by one worker, in three databases with an eighth of the
    /// items.
    private static func published(_ session: BenchmarkSession) throws -> [BenchmarkRow] {
        let count = GeneratedItems.count / 8
        let cluster = try session.sharedCluster()
        var times: (ours: [Duration], imports: [Duration]) = ([], [])
        var sizes: (ours: [Double], catalog: [Double]) = ([], [])
        for round in 1...3 {
            let name = "published_\(round)"
            let site = try MeasuredSite(cluster.database(name), count: count, session.progress)
            guard let taken = site.times else { continue }
            times.ours.append(taken.published)
            times.imports.append(taken.imported)
            sizes.ours.append(try site.size(of: MeasuredSite.publishedTables))
            sizes.catalog.append(try site.size(of: MeasuredSite.catalogTables))
            try cluster.drop(name)
        }
        return try [
            BenchmarkRow(
                what: "pages: \(count) items and a feed, published", measured: .seconds(times.ours),
                against: ("imported", .seconds(times.imports)), bar: .ratioAtLeast(1.0 / 3)),
            BenchmarkRow(
                what: "pages: the tables of published documents", measured: .init(sizes.ours, unit: "MiB"),
                against: ("of the catalog", .init(sizes.catalog, unit: "MiB")), bar: .ratioAtLeast(1 / 1.2)),
        ]
    }

    /// Measures the delay from the commit of an item's new title to a page that shows it: on one server, on two, and
    /// after the publishing server is killed. Also measures the delay of a scheduled takeover.
    private static func fresh(_ site: MeasuredSite, _ folder: String, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        let item = try EditedItem(site)
        var servers: [VitrineServer] = []
        defer { for server in servers { server.kill() } }
        func start() throws {
            servers.append(try VitrineServer(name: "fresh-\(servers.count)", in: folder, database: site.url.exposed))
            try servers[servers.count - 1].waitUntilReady()
        }
        try start()
        progress.show("an edited item, one server")
        // About 45 seconds: 285 short pauses, 15 of a second, and the edits.
        let alone = try item.times(300, on: servers)
        try start()
        progress.show("an edited item, two servers")
        let both = try item.times(20, on: servers)
        progress.show("planned switches")
        let switches = try (0..<10).map { try item.timeOfSwitch($0, on: servers[1]) }
        let takeovers = try (0..<5).map { round in
            progress.show("kill \(round + 1) of 5 of the publishing server")
            servers[round].kill()
            let time = try item.time(on: [servers[round + 1]])
            try start()
            return time
        }
        try item.close()
        let what = "pages: an item of \(GeneratedItems.count) edited, on the page"
        let figure = try BenchmarkRow.Figure.milliseconds(alone)
        return try [
            BenchmarkRow(what: what, measured: figure, bar: .atMost(30)),
            BenchmarkRow(what: what, measured: figure, bar: .percentile99AtMost(60)),
            BenchmarkRow(what: what, measured: figure, bar: .allAtMost(1_000)),
            BenchmarkRow(what: "\(what) of two servers", measured: .milliseconds(both), bar: .allAtMost(1_000)),
            BenchmarkRow(
                what: "\(what) after kill -9 of the publishing server", measured: .milliseconds(takeovers), bar: .allAtMost(2_000)),
            BenchmarkRow(what: "pages: a planned switch, not early", measured: .milliseconds(switches), bar: .allAtLeast(0)),
            BenchmarkRow(what: "pages: a planned switch, on the page", measured: .milliseconds(switches), bar: .allAtMost(1_000)),
        ]
    }
}
