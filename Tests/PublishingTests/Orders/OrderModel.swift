/// The expected schedule of feeds: a list of orders for each storefront, which is searched for what holds at a time.
///
/// Times are in seconds since 1970. The model does not store when a base ends: it asks which one began last.
struct OrderModel {
    enum Layer: String, CaseIterable { case base, takeover }

    enum Time {
        case instant(Int)
        /// The seconds since 1970 of a clock in UTC that shows this time.
        case wallClock(Int)
    }

    struct Order {
        let feed: String
        let layer: Layer
        let revision: Int
        /// The keys of the storefronts, or nil if it is for all.
        let storefronts: [String]?
        let from: Time?
        let until: Time?
        let orderedAt: Int
        var replacesLocal = false
        var cancelledAt: Int?
    }

    struct Storefront {
        let key: String
        var clock: ZoneClock
        var closedAt: Int?
        var isClosed: Bool { closedAt != nil }
    }

    /// An order in one storefront.
    struct Entry {
        /// The index of the order.
        let order: Int
        let storefront: String
        var start: Int
        /// The planned end of a takeover.
        var finish: Int?
        /// The time at which the live entry was canceled.
        var cancelledAt: Int?

        var end: Int { min(finish ?? .max, cancelledAt ?? .max) }

        func starting(atLeast now: Int) -> Entry {
            var entry = self
            entry.start = max(start, now)
            return entry
        }
    }

    /// A rejected change, as the database describes it.
    struct Rejection: Error {
        let reason: String
        var storefronts: [String] = []

        var text: String { ([reason] + (storefronts.isEmpty ? [] : [storefronts.joined(separator: ", ")])).joined(separator: " ") }
    }

    struct Live {
        var base: Int?
        var takeover: Int?
        var nextChange: Int?
        var shown: Int? { takeover ?? base }
    }

    var storefronts: [Storefront] = []
    var orders: [Order] = []
    var entries: [Entry] = []

    var open: [Storefront] { storefronts.filter { !$0.isClosed } }

    /// Returns the entries of a layer of a feed in a storefront.
    func entries(of feed: String, _ layer: Layer, in storefront: String) -> [Entry] {
        entries.filter { $0.storefront == storefront && orders[$0.order].feed == feed && orders[$0.order].layer == layer }
    }

    /// Returns the entry that holds at a time.
    func entry(of feed: String, _ layer: Layer, in storefront: String, at time: Int) -> Entry? {
        let started = entries(of: feed, layer, in: storefront).filter { $0.start <= time }
        switch layer {
        case .base: return started.max { $0.start < $1.start }.flatMap { time < $0.end ? $0 : nil }
        case .takeover: return started.first { time < $0.end }
        }
    }

    /// Returns what a storefront shows at a time, and when that changes next, underneath a takeover too.
    func live(_ feed: String, in storefront: String, at time: Int) -> Live {
        func orders(at time: Int) -> [Int?] { Layer.allCases.map { entry(of: feed, $0, in: storefront, at: time)?.order } }
        let now = orders(at: time)
        let bounds = Layer.allCases.flatMap { entries(of: feed, $0, in: storefront) }.flatMap { [$0.start, $0.end] }
        let next = bounds.filter { $0 > time && $0 < .max && orders(at: $0) != now }.min()
        return Live(base: now[0], takeover: now[1], nextChange: next)
    }

    /// Returns the time of an order on the clock of a storefront.
    func instant(_ time: Time, in storefront: Storefront) -> Int {
        switch time {
        case .instant(let second): second
        case .wallClock(let reading): storefront.clock.firstTime(showing: reading)
        }
    }

    /// Whether an entry is live or scheduled.
    func isAhead(_ entry: Entry, at now: Int) -> Bool {
        let order = orders[entry.order]
        switch order.layer {
        case .base: return entry.start > now || self.entry(of: order.feed, .base, in: entry.storefront, at: now)?.order == entry.order
        case .takeover: return entry.end > now
        }
    }
}
