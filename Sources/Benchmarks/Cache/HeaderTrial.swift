/// Many different clients that state only their locale in the URL, and everything else in header fields. If a page depends
/// on these fields, a cache stores a response for each client.
struct HeaderTrial {
    /// The number of requests that are sent before the first response is received.
    private static let depth = 8

    static func run(_ options: CacheOptions, _ progress: ProgressLine) throws -> [SoakCheck] {
        try CacheSite.run(options, progress) { site in
            let cache = try site.cache(options.proxy)
            defer { cache.stop() }
            progress.show("\(options.clients) clients of \(cache.name) by headers, seed \(options.seed)")
            let load = try OriginLoad(site)
            let proxy = try PageConnection(port: cache.port)
            var failures = 0
            for first in stride(from: 0, to: options.clients, by: depth) {
                let clients = (first..<min(first + depth, options.clients)).map { TrialClient($0, of: site.feeds, seed: options.seed) }
                try proxy.send(clients.flatMap(\.requestByHeaders))
                for client in clients {
                    let response = try proxy.receive()
                    if response.status != 200 || !client.accepts(response["content-encoding"]) { failures += 1 }
                }
            }
            return try load.checks(of: cache, pages: site.feeds.pagesByLocale) + [
                SoakCheck(what: CacheTally.Failure.response.rawValue, found: Double(failures), bar: .atMost(0))
            ]
        }
    }
}
