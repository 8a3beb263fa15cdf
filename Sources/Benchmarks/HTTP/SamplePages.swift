import Foundation
import HTTP
import Host
internal import Postgres
import Settings

/// Pages of the sample catalog on `vitrine serve`, with the rows that compare them with the least possible work.
enum SamplePages {
    private static let name = "sample page"
    private static let feed = "games"
    private static let page = "/v1/us/feeds/\(feed)?locale=en"
    private static let small = "/v1/us/feeds/harbor-story?locale=en"

    static let acceptsBrotli = ["Accept-Encoding: br"]
    /// The header fields that nginx sends with a compressed page.
    static let fieldsOfBrotli = [(name: "content-encoding", value: "br"), (name: "vary", value: "accept-encoding")]

    static func rows(_ session: BenchmarkSession) throws -> [BenchmarkRow] {
        let url = try session.sampleCatalog()
        return try MemoryFolder.run { folder in
            try repeated(url, folder, session.progress)
                + DistinctClients.rows("http", url, [(name, page)], in: folder, session.progress)
        }
    }

    /// Measures the latency of a page that is published each second.
    static func latencyRows(_ session: BenchmarkSession) throws -> [BenchmarkRow] {
        let url = try session.sampleCatalog()
        return try MemoryFolder.run { folder in
            // The first core is for the server only.
            try session.sharedCluster().pinned(to: 1) {
                try ChangingPage.rows(name, path: page, feed: feed, url, in: folder, session.progress)
            }
        }
    }

    /// Measures pages in memory against the same bodies in files. nginx sends their constant fields too, and not the date of a file.
    private static func repeated(_ url: DatabaseURL, _ folder: String, _ progress: ProgressLine) throws -> [BenchmarkRow] {
        progress.show("publication of the sample catalog")
        let certificate = try Certificate(in: folder)
        return try PinnedVitrine.run(url, in: folder, certificate) { servers in
            try MeasuredSite(copy: url).waitUntilPublished(within: .seconds(120))
            let (compressed, small) = try (thoroughBody(of: page, servers, folder), thoroughBody(of: Self.small, servers, folder))
            let shown = try [acceptsBrotli, []].map { try ServedResponse.get(servers.plain.url(page), $0, isHTTP2: false, in: folder) }
            let fields = shown.map { $0.constantFields + [(name: "last-modified", value: "")] }
            let plain = shown[1].body
            let br = try Self.folder("br", in: folder, [(page, compressed), (Self.small, small)])
            let identity = try Self.folder("identity", in: folder, [(page, plain)])
            let rows = try HTTPContest.run("http", servers.measured, in: br, certificate, fields: fields[0], isDetailed: true) { contest in
                try compressedLoads(kilobytes(compressed), kilobytes(small)).flatMap { try contest.rows($0, progress) }
            }
            let load = Load(name: "sample page of \(kilobytes(plain))", path: page, kind: .http1(isEncrypted: false), bar: 1)
            return try rows
                + HTTPContest.run("http", servers.measured, in: identity, certificate, fields: fields[1], isDetailed: true) { contest in
                    try contest.rows(load, progress)
                }
        }
    }

    /// The loads on the page of a feed and on a small one.
    private static func compressedLoads(_ size: String, _ smallSize: String) -> [Load] {
        func load(_ path: String, _ name: String, _ kind: Load.Kind, bar: Double, floorBar: Double? = nil) -> Load {
            Load(name: "sample page of \(name)", path: path, headers: acceptsBrotli, kind: kind, bar: bar, floorBar: floorBar)
        }
        return [
            load(page, "\(size) of br", .http1(isEncrypted: false), bar: 1 / 0.85, floorBar: 1 / 1.35),
            load(page, "\(size) of br, 304", .unchanged, bar: 1, floorBar: 1 / 1.35),
            load(small, "\(smallSize) of br, 8 pipelined", .pipelined(8), bar: 1 / 0.35),
            load(small, "\(smallSize) of br, TLS", .http1(isEncrypted: true), bar: 1 / 0.9),
            load(small, "\(smallSize) of br, h2, 1 stream", .http2(streams: 1), bar: 1),
            load(small, "\(smallSize) of br, h2, 8 streams", .http2(streams: 8), bar: 1 / 0.7),
        ]
    }

    /// Returns the body that both servers send after they have compressed it thoroughly.
    private static func thoroughBody(of path: String, _ servers: PinnedVitrine, _ folder: String) throws -> [UInt8] {
        for _ in 0..<50 {
            let bodies = try [servers.plain, servers.encrypted].map { try $0.thoroughResponse(path, acceptsBrotli, in: folder).body }
            if bodies[0] == bodies[1] { return bodies[0] }
            usleep(200_000)
        }
        throw BenchmarkFailure(reason: "\(path) differs on two servers of one database")
    }

    private static func kilobytes(_ body: [UInt8]) -> String { "\((body.count + 512) / 1_024) KB" }

    /// Writes pages to a new folder of a server, and returns its path.
    static func folder(_ name: String, in folder: String, _ pages: [(path: String, body: [UInt8])]) throws -> String {
        let root = "\(folder)/\(name)"
        for (path, body) in pages {
            let file = file(of: path, in: root)
            try FileManager.default.createDirectory(atPath: Path.parent(of: file), withIntermediateDirectories: true)
            try Data(body).write(to: URL(fileURLWithPath: file))
        }
        return root
    }

    /// The file that nginx sends for a path, without its query.
    static func file(of path: String, in root: String) -> String { root + path.prefix { $0 != "?" } }
}
