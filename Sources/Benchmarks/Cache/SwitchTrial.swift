import Glibc
import Host
import JSON
import Values

/// Takeovers that start and end at planned times, seen through Varnish and nginx and on the server itself at the same
/// time.
///
/// Each URL is requested every two seconds. So a cache has every page before a switch, and the first request for it
/// after the switch can be later than a second.
struct SwitchTrial {
    private static let requestsPerSecond = 200
    private static let urls = 400
    /// The time from one takeover to the next. A takeover lasts half of it.
    private static let period = Duration.seconds(8)

    private let options: CacheOptions
    private let site: CacheSite
    private let takeovers: Int

    static func run(_ options: CacheOptions, takeovers: Int, _ progress: ProgressLine) throws -> [SoakCheck] {
        try CacheSite.run(options, progress) { try SwitchTrial(options: options, site: $0, takeovers: takeovers).checks(progress) }
    }

    private func checks(_ progress: ProgressLine) throws -> [SoakCheck] {
        let schedule = try SwitchSchedule(planning: takeovers, every: Self.period, in: site.url)
        try waitForSchedule(schedule)
        let remover = try options.removesStale ? PageProxy(.removingStale, origin: site.server.port) : nil
        let caches = try [CacheOptions.Proxy.varnish, .nginx].map { try site.cache($0, before: remover?.port) }
        defer { for cache in caches { cache.stop() } }
        progress.show("\(takeovers) takeovers through \(caches.map(\.name).joined(separator: " and "))")
        // A late page of the server itself is late in the caches too.
        let ports = caches.map { (name: $0.name, port: $0.port) } + [(name: "the server", port: site.server.port)]
        let paths = Array(self.paths)
        let followers = try ports.map { name, port in
            let result = BlockingPromise<Result<SwitchTally, any Error>>()
            try Thread.start { result.fulfill(Result { try Self.follow(schedule, paths, port: port) }) }
            return (name: name, result: result)
        }
        return try followers.flatMap { try $0.result.wait().get().checks(of: $0.name, schedule) }
    }

    /// Sends requests until the last takeover has ended.
    private static func follow(_ schedule: SwitchSchedule, _ paths: [String], port: Int) throws -> SwitchTally {
        let connection = try PageConnection(port: port)
        var tally = SwitchTally()
        let start = ContinuousClock.now
        var number = 0
        while true {
            let sent = Timestamp(clamping: SystemInfo.wallClock)
            guard sent < schedule.end else { break }
            try connection.send(Array("GET \(paths[number % paths.count]) HTTP/1.1\r\nhost: shop\r\n\r\n".utf8))
            let response = try connection.receive()
            tally.add(response, sent: sent, received: Timestamp(clamping: SystemInfo.wallClock), schedule)
            number += 1
            let rest = ContinuousClock.now.duration(to: start + .seconds(1) * number / requestsPerSecond)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
        tally.time = start.duration(to: .now)
        return tally
    }

    /// The URLs of the feed's pages, for all storefronts and locales.
    private var paths: some Sequence<String> {
        site.feeds.platforms.lazy.flatMap { platform in
            site.feeds.screens.lazy.flatMap { screen in
                site.feeds.storefronts.lazy.flatMap { storefront in
                    storefront.locales.lazy.map {
                        "/v1/\(storefront.key)/feeds/\(SwitchSchedule.feed)?locale=\($0)&platform=\(platform)&screen=\(screen)"
                    }
                }
            }
        }.prefix(Self.urls)
    }

    /// Waits until the pages of all storefronts end with the first takeover. Pages that a cache has stored before a
    /// takeover is planned outlive it.
    private func waitForSchedule(_ schedule: SwitchSchedule) throws {
        let origin = try PageConnection(port: site.server.port)
        for storefront in site.feeds.storefronts {
            let path = "/v1/\(storefront.key)/feeds/\(SwitchSchedule.feed)?locale=\(storefront.locales[0])"
            while let end = try origin.json(path).root["validUntil"]?.string.flatMap({ Timestamp($0) }), end > schedule.switches[0] {
                guard Timestamp(clamping: SystemInfo.wallClock) < schedule.switches[0] else {
                    throw BenchmarkFailure(reason: "the server did not read the schedule in time")
                }
                usleep(20_000)
            }
        }
    }
}
