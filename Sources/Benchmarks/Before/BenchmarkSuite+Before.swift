import Foundation
import HTTP
import HTTPMessages
import Host
internal import Postgres
import Settings

extension BenchmarkSuite {
    /// The pages of the sample catalog, compared with those of an earlier program: the time of the first request for each page, and the
    /// bytes of the page with brotli.
    static let before = BenchmarkSuite(name: "before", needs: [.psql, .curl], runsByDefault: false) { session in
        guard let program = ProcessInfo.processInfo.environment["BEFORE"], Files.may(.execute, program) else {
            throw BenchmarkFailure(reason: "before requires an earlier program: make bench ONLY=before BEFORE=PATH")
        }
        return try MemoryFolder.run { folder in
            let before = try ComparedProgram("before", program, in: folder, session)
            let now = try ComparedProgram("now", VitrineServer.program(), in: folder, session)
            let paths = try before.paths()
            var rounds: [(before: ComparedProgram.Round, now: ComparedProgram.Round)] = []
            for number in 1...7 {
                session.progress.show("\(paths.count) pages of two programs, round \(number) of 7")
                rounds.append(try (before.round(paths), now.round(paths)))
            }
            let what = "before: \(paths.count) sample pages"
            return try [
                BenchmarkRow(
                    what: "\(what), requested for the first time", measured: .milliseconds(rounds.map(\.now.time)),
                    against: ("the earlier program", .milliseconds(rounds.map(\.before.time))), bar: .ratioAtLeast(1 / 1.2)),
                BenchmarkRow(
                    what: "\(what), all of them in br", measured: .kilobytes(rounds.map(\.now.total)),
                    against: ("the earlier program", .kilobytes(rounds.map(\.before.total))), bar: .ratioAtLeast(1 / 1.25)),
                BenchmarkRow(
                    what: "\(what), the largest growth of one in br",
                    measured: BenchmarkRow.Figure(rounds.map { $0.now.largestGrowth(from: $0.before) }, unit: "×"), bar: .allAtMost(1.25)),
            ]
        }
    }
}

extension BenchmarkRow.Figure {
    fileprivate static func kilobytes(_ bytes: [Int]) throws(BenchmarkFailure) -> Self {
        try Self(bytes.map { Double($0) / 1_024 }, unit: "KB")
    }
}

/// A program with a database of its own that has the sample catalog. Each round has a new server, which has no page in memory.
private struct ComparedProgram {
    /// The median time of a page, and the compressed size of each page.
    struct Round {
        let time: Duration
        let sizes: [Int]

        var total: Int { sizes.reduce(0, +) }

        /// Returns the largest ratio of a page's size to that of the same page in another round.
        func largestGrowth(from before: Round) -> Double {
            zip(sizes, before.sizes).map { Double($0) / Double(max(1, $1)) }.max() ?? 0
        }
    }

    private let name: String
    private let program: String
    private let url: DatabaseURL
    private let folder: String

    init(_ name: String, _ program: String, in folder: String, _ session: BenchmarkSession) throws {
        session.progress.show("the sample catalog of \(program)")
        (self.name, self.program, self.folder) = (name, program, folder)
        url = try session.sharedCluster().database("sample_\(name)")
        for arguments in [["db", "migrate"], ["db", "sample"]] { try BuiltProgram(arguments, of: program, url: url).run() }
    }

    /// The paths of all pages with a locale.
    func paths() throws -> [String] {
        try serving { connection in
            try TrialFeeds(connection, hasScreens: false).storefronts.flatMap { storefront in
                storefront.feeds.flatMap { feed in storefront.locales.map { "/v1/\(storefront.key)/feeds/\(feed)?locale=\($0)" } }
            }
        }
    }

    /// Requests each page once from a new server.
    func round(_ paths: [String]) throws -> Round {
        try serving { connection in
            // It opens the connections of the pool.
            _ = try Self.page("/v1/storefronts", connection)
            var (times, sizes): ([Duration], [Int]) = ([], [])
            for path in paths {
                let start = ContinuousClock.now
                let page = try Self.page(path, connection)
                times.append(start.duration(to: .now))
                guard let compressed = ContentCoding.br.compress(page, .thorough) else {
                    throw BenchmarkFailure(reason: "\(path) was not compressed")
                }
                sizes.append(compressed.count)
            }
            return Round(time: times.sorted()[times.count / 2], sizes: sizes)
        }
    }

    private static func page(_ path: String, _ connection: PageConnection) throws -> [UInt8] {
        try connection.send(Array("GET \(path) HTTP/1.1\r\nhost: shop\r\n\r\n".utf8))
        let response = try connection.receive()
        guard response.status == 200 else { throw BenchmarkFailure(reason: "\(path): \(response.status)") }
        return response.body
    }

    private func serving<Result>(_ body: (PageConnection) throws -> Result) throws -> Result {
        let server = try VitrineServer(name: name, in: folder, of: program, database: url.exposed)
        defer { server.kill() }
        try server.waitUntilReady()
        let site = MeasuredSite(copy: url)
        try site.waitUntilPublished(within: .seconds(120))
        try site.waitUntilSettled()
        return try body(PageConnection(port: server.port))
    }
}
