internal import Feeds
internal import Items
internal import Postgres
internal import Values

/// The clocks of the zones of all storefronts, for the wall-clock times of some documents.
struct LocalClocks {
    private var times: Set<PlannedTime> = []
    private var clocks: [String: LocalClock] = [:]

    init() {}

    /// Creates the clocks from a result of ``query(_:)``.
    init(_ times: Set<PlannedTime>, of result: PostgresResult) throws(PostgresError) {
        var instants: [String: [LocalTime: Timestamp]] = [:]
        for (zone, text, instant) in try result.rows(as: String.self, String.self, Timestamp.self) {
            if case .wallClock(let time)? = PlannedTime(text) { instants[zone, default: [:]][time] = instant }
        }
        self.times = times
        clocks = instants.mapValues { LocalClock($0) }
    }

    /// Returns the query of the instants of wall-clock times in the zones of all storefronts.
    static func query(_ times: Set<PlannedTime>) -> PostgresQuery {
        PostgresQuery(SequencerQueries.wallClocks, times.map(\.description).sorted())
    }

    /// Whether no instant is unknown.
    func have(_ times: Set<PlannedTime>, in storefronts: [StorefrontDay]) -> Bool {
        times.isEmpty || times.isSubset(of: self.times) && storefronts.allSatisfy { clocks[$0.storefront.timeZone] != nil }
    }

    /// Sets the clocks of storefronts.
    func set(in storefronts: inout [StorefrontDay]) {
        for index in storefronts.indices { storefronts[index].clock = clocks[storefronts[index].storefront.timeZone] ?? LocalClock() }
    }
}

extension FeedDocument {
    /// Returns the sections that exist in a storefront at a time.
    func sections(on day: StorefrontDay, at time: Timestamp) -> [FeedSection] {
        sections(in: day.storefront.key, at: time, by: day.clock)
    }
}
