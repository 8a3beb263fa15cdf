import Host
import Postgres
import TestDatabase
import TestSupport
import Testing

/// A successful change of a curator.
struct CuratorOrder: Sendable {
    enum Kind: Sendable { case base, takeover, cancellation }

    let kind: Kind
    let feed: String
    let id: Int
    var storefronts: [String]?
    var from: Int?
    var until: Int?
    var isWallClock = false

    /// Returns the spans that a new storefront gets, each as a text: its order, its start unless it is live, and its end.
    ///
    /// The changes of one curator are in their order. On a feed that curators share, the IDs are the order.
    /// `now` is any time before the starts, in seconds since 1970.
    static func expectedSpans(of orders: [CuratorOrder], in zone: String, at now: Int, _ comment: Comment) throws -> [String] {
        let clocks = try Dictionary(uniqueKeysWithValues: Set(OrderHistory.zones + [zone]).map { ($0, try ZoneClock($0)) })
        var model = OrderModel()
        for (key, zone) in [("us", "America/New_York"), ("de", "Europe/Berlin"), ("sa", "Asia/Riyadh")] {
            model.storefronts.append(OrderModel.Storefront(key: key, clock: try #require(clocks[zone])))
        }
        var ids: [Int] = []
        let feeds = Dictionary(grouping: orders, by: \.feed).values
        for order in feeds.flatMap({ $0.contains { $0.kind == .cancellation } ? $0 : $0.sorted { $0.id < $1.id } }) {
            guard order.kind != .cancellation else {
                try model.cancel(try #require(ids.firstIndex(of: order.id)), in: nil, at: now + 1)
                continue
            }
            func time(_ second: Int) -> OrderModel.Time { order.isWallClock ? .wallClock(second) : .instant(second) }
            let published = OrderModel.Order(
                feed: order.feed, layer: order.kind == .base ? .base : .takeover, revision: 1, storefronts: order.storefronts,
                from: order.from.map(time), until: order.until.map(time), orderedAt: now)
            #expect(throws: Never.self, comment) { try model.publish(published, replacesLocal: true) }
            ids.append(order.id)
        }
        model.add(OrderModel.Storefront(key: "xx", clock: try #require(clocks[zone])), at: now + 1)
        return model.entries.filter { $0.storefront == "xx" }.map { entry in
            let order = model.orders[entry.order]
            let starts = model.entries(of: order.feed, order.layer, in: "xx").map(\.start).sorted()
            let next = order.layer == .base ? starts.first { $0 > entry.start } : entry.finish
            return ["\(ids[entry.order])", entry.start > now + 1 ? "\(entry.start)" : nil, "until", next.map { "\($0)" }]
                .compactMap(\.self).joined(separator: " ")
        }
    }
}

/// A curator who publishes and cancels at random, on a feed of their own and on a shared one.
struct RandomOrders: Sendable {
    private var random: SeededRandom
    private let feed: String
    private let sharedFeed: String
    /// Whether the curator gives wall clocks on their own feed. If two orders overlapped only in the new storefront, it would matter
    /// whether the first one was canceled before the storefront was added.
    private let usesWallClock: Bool
    private let center: Int

    /// Creates a curator whose orders start within two days around a time in seconds since 1970.
    init(seed: UInt64, around center: Int, feed: String, sharedFeed: String) {
        random = SeededRandom(seed: seed)
        usesWallClock = Bool.random(using: &random)
        self.center = center
        (self.feed, self.sharedFeed) = (feed, sharedFeed)
    }

    /// Returns the changes that were not rejected.
    mutating func publish(_ configuration: PostgresConfiguration) async throws -> [CuratorOrder] {
        let curator = Locked(self)
        let done = Locked<[CuratorOrder]>([])
        try await withConnection(configuration) { connection in
            for number in 0..<8 {
                let own = done.withLock { $0 }
                let order = curator.withLock { $0.next(isFirst: number == 0, own) }
                let query =
                    order.kind == .cancellation
                    ? PostgresQuery("cancel", "SELECT vitrine.cancel_publication($1::bigint)::text", Int64(order.id))
                    : Self.query(order)
                do throws(PostgresError) {
                    let id = try await connection.rows(of: query, as: String?.self, until: .soon).first.flatMap { $0.flatMap { Int($0) } }
                    let published = CuratorOrder(
                        kind: order.kind, feed: order.feed, id: id ?? order.id, storefronts: order.storefronts, from: order.from,
                        until: order.until, isWallClock: order.isWallClock)
                    done.withLock { $0.append(published) }
                } catch {
                    guard error.constraint == "publication_spans_during_excl" || error.sqlState == SQLState(rawValue: "55000") else {
                        throw error
                    }
                }
            }
        }
        self = curator.withLock { $0 }
        return done.withLock { $0 }
    }

    private static func query(_ order: CuratorOrder) -> PostgresQuery {
        func text(_ second: Int?) -> String? {
            second.map { String(OrderHistory.text($0).prefix(order.isWallClock ? 16 : 19)) + (order.isWallClock ? "" : "Z") }
        }
        return PostgresQuery(
            "publish",
            "SELECT vitrine.publish($1::text, $2::text::vitrine.publication_layer, 1, $3::text, $4::text, $5::text[], true)::text",
            order.feed, order.kind == .base ? "base" : "takeover", text(order.from), text(order.until), order.storefronts)
    }

    private mutating func next(isFirst: Bool, _ done: [CuratorOrder]) -> CuratorOrder {
        if isFirst { return CuratorOrder(kind: .base, feed: feed, id: 0) }
        let own = done.filter { $0.feed == feed && $0.from != nil }
        if Int.random(in: 0..<5, using: &random) == 0, let cancelled = own.randomElement(using: &random) {
            return CuratorOrder(kind: .cancellation, feed: feed, id: cancelled.id)
        }
        let from = center + 1_800 * Int.random(in: -48..<48, using: &random)
        let isBase = Bool.random(using: &random)
        let isShared = Bool.random(using: &random)
        return CuratorOrder(
            kind: isBase ? .base : .takeover, feed: isShared ? sharedFeed : feed, id: 0,
            storefronts: Int.random(in: 0..<4, using: &random) == 0 ? ["de"] : nil, from: from,
            until: isBase ? nil : from + 1_800 * Int.random(in: 4..<12, using: &random),
            isWallClock: isShared ? Bool.random(using: &random) : usesWallClock)
    }
}
