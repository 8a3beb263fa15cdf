import Host

/// The pages that a server has sent to a cache since the start of a trial.
struct OriginLoad {
    private let site: CacheSite
    private let requests: Int
    private let start = ContinuousClock.now
    private let hour = Self.hour

    init(_ site: CacheSite) throws {
        self.site = site
        requests = try site.server.pageRequests()
    }

    /// The number of full hours since 1970.
    private static var hour: Int { SystemInfo.wallClock / 3_600_000_000 }

    /// Returns the checks of the stored responses and of the requests for them. `pages` is the maximum number of pages, and `direct`
    /// the number of requests that did not come from the cache.
    func checks(of cache: any TestedCache, pages: Int, direct: Int = 0) throws -> [SoakCheck] {
        let minutes = Int(start.duration(to: .now) / .seconds(60))
        // The sample catalog changes at full hours, which ends pages before they are a minute old.
        let changes = Self.hour - hour
        return Self.checks(
            objects: try cache.objects(), of: cache.name, maxObjects: pages * cache.codings,
            requests: try site.server.pageRequests() - requests - direct, minutes: minutes, changes: changes)
    }

    static func checks(objects: Int, of cache: String, maxObjects: Int, requests: Int, minutes: Int, changes: Int) -> [SoakCheck] {
        [
            // A cache that stores nothing would meet every maximum.
            SoakCheck(what: "any page object in \(cache)", found: Double(objects), bar: .atLeast(1)),
            SoakCheck(what: "page objects in \(cache)", found: Double(objects), bar: .atMost(Double(maxObjects))),
            SoakCheck(
                what: "requests for pages to the server in \(minutes) min", found: Double(requests),
                bar: .atMost(Double(objects * (minutes + 1 + changes)))),
        ]
    }
}
