import Foundation
import Host
import Postgres
import Settings

/// A server of the sample catalog with its database, for caches.
struct CacheSite {
    let url: DatabaseURL
    let server: VitrineServer
    let feeds: TrialFeeds
    /// The folder for the files of the caches.
    let folder: String

    /// Runs a body with a new server of the tested program. `prepare` changes the database before the server starts.
    static func run<Result>(
        _ options: CacheOptions, _ progress: ProgressLine, prepare: (DatabaseURL) throws -> Void = { _ in },
        _ body: (CacheSite) throws -> Result
    ) throws -> Result {
        try TrialFolder.run { folder in
            progress.show("start of a database")
            return try BenchmarkCluster.run { url in
                for arguments in [["db", "migrate"], ["db", "sample"]] {
                    progress.show("vitrine \(arguments.joined(separator: " "))")
                    try BuiltProgram(arguments, of: options.program, url: url).run(output: "\(folder)/\(arguments[1])")
                }
                try prepare(url)
                let server = try VitrineServer(name: "origin", in: folder, of: options.program, database: url.exposed)
                defer { server.kill() }
                progress.show("publication of the sample catalog")
                try server.waitUntilReady()
                try MeasuredSite(copy: url).waitUntilPublished(within: .seconds(120))
                let origin = try PageConnection(port: server.port)
                let feeds = try waitForFeeds(origin, hasScreens: !options.headersOnly)
                return try body(CacheSite(url: url, server: server, feeds: feeds, folder: folder))
            }
        }
    }

    /// Starts a cache, by default before the server.
    func cache(_ proxy: CacheOptions.Proxy, before port: Int? = nil) throws -> any TestedCache {
        let origin = port ?? server.port
        return switch proxy {
        case .varnish: try Varnish(in: folder, origin: origin)
        case .nginx: try CachingNginx(in: folder, origin: origin)
        case .url: try PageProxy(.storing, origin: origin)
        }
    }

    /// Waits until the server shows the feeds in all storefronts.
    private static func waitForFeeds(_ origin: PageConnection, hasScreens: Bool) throws -> TrialFeeds {
        for _ in 0..<300 {
            let feeds = try? TrialFeeds(origin, hasScreens: hasScreens)
            if let feeds, Set(feeds.storefronts.map(\.feeds.count)).count == 1 { return feeds }
            usleep(100_000)
        }
        throw BenchmarkFailure(reason: "the server does not show the sample feeds")
    }
}

extension CacheOptions.Proxy {
    /// The programs that a trial with this proxy starts.
    var needs: [RequiredProgram] {
        let program: RequiredProgram? =
            switch self {
            case .varnish: .varnish
            case .nginx: .nginx
            case .url: nil
            }
        return [program].compactMap(\.self) + [.curl, .psql]
    }
}

extension VitrineServer {
    /// Returns the number of requests for pages that the server has counted.
    func pageRequests() throws -> Int {
        try metrics().split(separator: "\n").filter {
            $0.hasPrefix(#"vitrine_http_requests_total{route="/v1/{storefront}/feeds/{feed}","#)
        }.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }
}
