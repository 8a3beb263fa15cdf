import TestSupport
import Values

/// A random history of orders and storefronts around a change of clocks: statements, and what the model says that they return.
struct OrderHistory {
    struct Step {
        let now: String
        let statement: String
        let expected: String
        /// The model after the statement.
        let model: OrderModel
        /// The seconds since 1970.
        let time: Int
        /// Whether the statement only reads the live revisions.
        var isQuestion: Bool { statement.hasPrefix("SELECT live_at") }
    }

    static let zones = [
        "America/New_York", "Europe/Berlin", "Africa/Cairo", "Asia/Riyadh", "Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Auckland",
        "America/Sao_Paulo",
    ]
    private static let keys = ["us", "de", "eg", "sa", "jp", "au", "nz", "br"]
    static let feeds = ["today", "games"]
    private static let day = 86_400
    /// The minimum number of random minutes whose live revisions are compared.
    static let fewestMinutes = 200

    private(set) var steps: [Step] = []
    /// The number of random minutes whose live revisions are compared.
    private(set) var minutes = 0
    private var random: SeededRandom
    /// The source of most random minutes, which do not change the rest of a history.
    private var randomMinutes: SeededRandom
    private let clocks: [ZoneClock]
    private var model = OrderModel()
    /// The middle of the history.
    private let center: Int
    private var now: Int
    /// The live revisions that were reported, by their time, with the storefronts that were closed then.
    private var shown: [(time: Int, lines: [String], closed: [String])] = []

    init(seed: UInt64, clocks: [ZoneClock]) {
        random = SeededRandom(seed: seed)
        randomMinutes = SeededRandom(seed: ~seed)
        self.clocks = clocks
        center = Self.center(clocks, &random)
        now = center - 2 * Self.day + Int.random(in: 0..<3_600, using: &random)
        for _ in 0..<Int.random(in: 2...4, using: &random) { addStorefront() }
        for _ in 0..<30 {
            advance()
            change()
            if Int.random(in: 0..<3, using: &random) == 0 { ask() }
        }
        ask(minutes: Self.fewestMinutes - minutes)
    }

    /// Returns a time near a change of a clock in 2026 to 2030, in whole hours.
    private static func center(_ clocks: [ZoneClock], _ random: inout SeededRandom) -> Int {
        let changing = clocks.filter { clock in
            (0..<12).contains { clock.offset(at: 1_767_225_600 + $0 * 30 * day) != clock.offset(at: 1_767_225_600) }
        }
        guard let clock = changing.randomElement(using: &random) else { return 1_767_225_600 }
        var time = 1_767_225_600 + Int.random(in: 0..<5 * 365, using: &random) * day
        while clock.offset(at: time) == clock.offset(at: time + day) { time += day }
        return time + 12 * 3_600
    }

    // MARK: Steps

    private mutating func add(_ statement: String, expecting expected: String) {
        steps.append(Step(now: Self.text(now) + "Z", statement: statement, expected: expected, model: model, time: now))
    }

    private mutating func advance() {
        let bounds = model.entries.flatMap { [$0.start, $0.end] }.filter { $0 > now && $0 < center + 3 * Self.day }
        if Int.random(in: 0..<6, using: &random) == 0, let bound = bounds.randomElement(using: &random) {
            now = bound
        } else {
            now += Int.random(in: 1..<4 * 3_600, using: &random)
        }
    }

    private mutating func change() {
        switch Int.random(in: 0..<100, using: &random) {
        case ..<55: publish()
        case ..<70: cancel()
        case ..<80: rollBack()
        case ..<87: addStorefront()
        case ..<90: Bool.random(using: &random) ? closeStorefront() : reopenStorefront()
        case ..<92: deleteStorefront()
        default: moveStorefront()
        }
    }

    private mutating func publish() {
        let layer = OrderModel.Layer.allCases.randomElement(using: &random) ?? .base
        let keys = keys()
        let hasEnd = layer == .takeover && Int.random(in: 0..<8, using: &random) > 0
        var from: OrderModel.Time?
        var until: OrderModel.Time?
        if Int.random(in: 0..<4, using: &random) > 0 { from = time(after: now) }
        if hasEnd { until = time(after: from.map(Self.second) ?? now) }
        let replacesLocal = Int.random(in: 0..<4, using: &random) == 0
        let order = OrderModel.Order(
            feed: feed(), layer: layer, revision: Int.random(in: 1...5, using: &random), storefronts: keys, from: from, until: until,
            orderedAt: now)
        var next = model
        let expected: String
        do throws(OrderModel.Rejection) {
            expected = "ok \(try next.publish(order, replacesLocal: replacesLocal) + 1)"
            model = next
        } catch {
            expected = error.text
        }
        add(
            """
            SELECT 'ok ' || place_of(vitrine.publish('\(order.feed)', '\(layer)', \(order.revision), \(literal(from)), \(literal(until)), \
            \(Self.array(keys)), \(replacesLocal)))
            """, expecting: expected)
    }

    private mutating func cancel() {
        let index = Int.random(in: 0...model.orders.count, using: &random)
        // Mostly in storefronts of the order.
        let ahead = model.entries.filter { $0.order == index && model.isAhead($0, at: now) }.map(\.storefront)
        var keys: [String]?
        switch Int.random(in: 0..<4, using: &random) {
        case 0: keys = self.keys()
        case 1: keys = ahead.isEmpty ? nil : Array(ahead.shuffled(using: &random).prefix(2))
        default: keys = nil
        }
        var next = model
        var expected = "ok"
        do throws(OrderModel.Rejection) {
            try next.cancel(index, in: keys, at: now)
            model = next
        } catch {
            expected = error.text
        }
        add("SELECT 'ok' || vitrine.cancel_publication(id_of(\(index + 1)), \(Self.array(keys)))::text", expecting: expected)
    }

    private mutating func rollBack() {
        let keys = Bool.random(using: &random) ? nil : keys()
        let revision = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 1...5, using: &random) : nil
        let feed = feed()
        var next = model
        let expected: String
        do throws(OrderModel.Rejection) {
            expected = "ok \(try next.rollBack(feed, in: keys, to: revision, at: now).map { "\($0 + 1)" }.joined(separator: " "))"
            model = next
        } catch {
            expected = error.text
        }
        add(
            """
            SELECT 'ok ' || coalesce(string_agg(place_of(id), ' ' ORDER BY id), '')
            FROM vitrine.roll_back('\(feed)', \(Self.array(keys)), \(revision.map { "\($0)" } ?? "NULL")) AS rolled (id)
            """, expecting: expected)
    }

    private mutating func addStorefront() {
        let unused = Self.keys.filter { key in !model.storefronts.contains { $0.key == key } }
        guard let key = unused.randomElement(using: &random) else { return }
        let clock = clock()
        model.add(OrderModel.Storefront(key: key, clock: clock), at: now)
        add(
            """
            INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale) VALUES ('\(key)', 'USD', '\(clock.name)', 'en') RETURNING 'ok'
            """, expecting: "ok")
    }

    private mutating func closeStorefront() {
        guard model.open.count > 2, let key = model.open.randomElement(using: &random)?.key else { return }
        model.close(key, at: now)
        add("UPDATE vitrine.storefronts SET closed_at = '\(Self.text(now))Z' WHERE key = '\(key)' RETURNING 'ok'", expecting: "ok")
    }

    private mutating func reopenStorefront() {
        guard let key = model.storefronts.filter(\.isClosed).randomElement(using: &random)?.key else { return }
        model.reopen(key, at: now)
        add("UPDATE vitrine.storefronts SET closed_at = NULL WHERE key = '\(key)' RETURNING 'ok'", expecting: "ok")
    }

    private mutating func deleteStorefront() {
        guard model.open.count > 2, let key = model.storefronts.randomElement(using: &random)?.key else { return }
        var expected = "ok"
        do throws(OrderModel.Rejection) { try model.delete(key, at: now) } catch { expected = error.text }
        add("DELETE FROM vitrine.storefronts WHERE key = '\(key)' RETURNING 'ok'", expecting: expected)
    }

    private mutating func moveStorefront() {
        guard let key = model.storefronts.randomElement(using: &random)?.key else { return }
        let clock = clock()
        model.move(key, to: clock, at: now)
        add("UPDATE vitrine.storefronts SET time_zone = '\(clock.name)' WHERE key = '\(key)' RETURNING 'ok'", expecting: "ok")
    }

    // MARK: Questions

    /// Asks for the live revisions now and at random minutes, and again for earlier ones.
    private mutating func ask(minutes fewest: Int = 0) {
        let places = places()
        var times = (0..<3).map { _ in Self.minute(near: center, &random) }
        while times.count < max(fewest, Self.fewestMinutes / 10) { times.append(Self.minute(near: center, &randomMinutes)) }
        minutes += times.count
        times.append(now)
        let expected = times.flatMap { time in
            Self.lines(of: places, at: time).map { "\(Self.text(time)) \($0.live)\($0.next)" }
        }
        let list = times.map { "\(Self.text($0))Z" }.joined(separator: ",")
        add("SELECT live_at_each('{\(list)}')", expecting: expected.joined(separator: "\n"))
        shown.append((now, Self.lines(of: places, at: now).map(\.live), model.storefronts.filter(\.isClosed).map(\.key)))
        guard let earlier = shown.randomElement(using: &random) else { return }
        // A closed storefront has no lines. One that was closed then has its history again.
        let reopened = Self.lines(of: places, at: earlier.time).map(\.live).filter { line in
            earlier.closed.contains { line.contains("/\($0) ") }
        }
        let open = (earlier.lines + reopened).filter { line in
            model.open.contains { line.contains("/\($0.key) ") } && !line.hasSuffix(" -")
        }
        // The feed and the storefront start a line.
        let sorted = open.sorted { $0.prefix { $0 != " " } < $1.prefix { $0 != " " } }
        add("SELECT live_at('\(Self.text(earlier.time))Z', has_next => false)", expecting: sorted.joined(separator: "\n"))
    }

    /// A feed in an open storefront, with a model that has no entries of others.
    private struct Place {
        let feed: String
        let storefront: String
        let model: OrderModel
    }

    /// Returns the feeds in the open storefronts, in the order of their names.
    private func places() -> [Place] {
        Self.feeds.sorted().flatMap { feed in
            model.open.map(\.key).sorted().map { key in
                var part = model
                part.entries = model.entries.filter { $0.storefront == key && model.orders[$0.order].feed == feed }
                return Place(feed: feed, storefront: key, model: part)
            }
        }
    }

    private static func lines(of places: [Place], at time: Int) -> [(live: String, next: String)] {
        places.compactMap { place in
            let live = place.model.live(place.feed, in: place.storefront, at: time)
            guard live.shown != nil || live.nextChange != nil else { return nil }
            let order = live.shown.map { "\($0 + 1) \(place.model.orders[$0].revision) \(place.model.orders[$0].layer)" } ?? "-"
            return ("\(place.feed)/\(place.storefront) \(order)", live.nextChange.map { " \(text($0))" } ?? "")
        }
    }

    private static func minute(near center: Int, _ random: inout SeededRandom) -> Int {
        center / 60 * 60 + 60 * Int.random(in: -3 * 1_440..<4 * 1_440, using: &random)
    }

    // MARK: Random values

    private mutating func feed() -> String { Int.random(in: 0..<4, using: &random) == 0 ? Self.feeds[1] : Self.feeds[0] }

    private mutating func clock() -> ZoneClock { clocks[Int.random(in: clocks.indices, using: &random)] }

    /// Returns nil if it is for all storefronts, or keys, of which some are unknown or closed.
    private mutating func keys() -> [String]? {
        guard Int.random(in: 0..<5, using: &random) < 3 else { return nil }
        let known = Int.random(in: 0..<8, using: &random) == 0 ? Self.keys : model.open.map(\.key)
        return Array(known.shuffled(using: &random).prefix(Int.random(in: 1...3, using: &random)))
    }

    /// Returns a time of an order, mostly soon after another one. Many are equal, and some are in the past.
    private mutating func time(after second: Int) -> OrderModel.Time {
        let time = second / 1_800 * 1_800 + 1_800 * Int.random(in: -2..<(Bool.random(using: &random) ? 12 : 80), using: &random)
        return Int.random(in: 0..<3, using: &random) == 0 ? .instant(time) : .wallClock(time)
    }

    // MARK: SQL

    private static func second(_ time: OrderModel.Time) -> Int {
        switch time {
        case .instant(let second), .wallClock(let second): second
        }
    }

    /// Returns `2026-12-24T18:00:00`.
    static func text(_ second: Int) -> String { String(Timestamp(clamping: second * 1_000_000).toTheSecond.dropLast()) }

    private mutating func literal(_ time: OrderModel.Time?) -> String {
        switch time {
        case nil: "NULL"
        case .wallClock(let reading): "'\(Self.text(reading).prefix(16))'"
        case .instant(let second): Bool.random(using: &random) ? "'\(Self.text(second))Z'" : "'\(Self.text(second + 10_800))+03:00'"
        }
    }

    private static func array(_ keys: [String]?) -> String { keys.map { "'{\($0.joined(separator: ","))}'" } ?? "NULL" }
}
