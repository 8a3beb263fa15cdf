import EventLoop
import Postgres
import Sync
import TestDatabase
import TestSupport
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("Orders as the sequencer publishes them", .databaseForEachTest)
struct SequencedOrdersTests {
    private static let seeds = TestVariable.number("ORDER_SEQUENCER_HISTORIES").map { Array(1...max(1, $0)) } ?? Seeds.fixed(3)

    @Test("After each change, the pages and the changes of each storefront equal those of the naive model", arguments: seeds)
    func pages(seed: UInt64) async throws {
        try await withConnection { connection in
            try await connection.runScript("clock", OrderDatabase.script, until: .soon)
            let history = OrderHistory(seed: seed, clocks: try OrderHistory.zones.map { try ZoneClock($0) })
            var published = try SequencedOrders(Site(connection: connection), seed: seed)
            var log: [String] = []
            for step in history.steps where !step.isQuestion {
                log.append("\(step.now) \(step.statement) => \(step.expected)")
                guard let issue = try await published.issue(after: step) else { continue }
                Issue.record("seed \(seed): \(issue)\n\(log.joined(separator: "\n"))")
                return
            }
            #expect(!Seeds.isFixed(seed, of: 3) || published.pageCount > 10, "seed \(seed)")
        }
    }
}

/// The published state of a history, and the clients of its storefronts, whose copies are made of changes only.
private struct SequencedOrders {
    /// The page of a feed in a storefront: the index of an order, and its revision.
    private struct Page: Equatable {
        let order: Int
        let revision: Int
        /// The seconds since 1970 at which it changes next.
        let end: Int?
    }

    private let site: Site
    private var sequencer: Sequencer
    private var random: SeededRandom
    private var pages: [StorefrontFeed: Page] = [:]
    private var clients: [String: StorefrontClient] = [:]
    private(set) var pageCount = 0

    init(_ site: Site, seed: UInt64) throws {
        self.site = site
        sequencer = try site.sequencer()
        random = SeededRandom(seed: seed)
    }

    /// Runs a statement and publishes the result. Returns a description of what differs from the model, or nil.
    mutating func issue(after step: OrderHistory.Step) async throws -> String? {
        let outcome = try await run(step)
        if outcome != step.expected { return "the statement returns \(outcome)" }
        try await publish(at: step.time)
        let expected = Self.pages(of: step.model, at: step.time)
        defer { pages = expected }
        pageCount += expected.count
        if let issue = try await pageIssue(expected) { return issue }
        return try await changeIssue(expected, after: step)
    }

    /// Runs a statement in a transaction of its own, with a locale for each new storefront.
    private func run(_ step: OrderHistory.Step) async throws -> String {
        let (now, statement) = (step.now, step.statement)
        let outcomes = try await site.connection.transaction(until: .soon) { connection in
            let clock = PostgresQuery("clock", "SELECT set_config('test.now', $1::text, false)", now)
            _ = try await connection.rows(of: clock, as: String.self, until: .soon)
            let query = PostgresQuery(
                "step", "SELECT vitrine.run_history($1::text[]::timestamptz[], $2::text[])", [now], [statement])
            let outcomes = try await connection.rows(of: query, as: [String].self, until: .soon)
            let locales = """
                INSERT INTO vitrine.storefront_locales (storefront, locale, rank)
                SELECT key, 'en', 1 FROM vitrine.storefronts
                WHERE NOT EXISTS (SELECT FROM vitrine.storefront_locales WHERE storefront = key)
                """
            try await connection.run(PostgresQuery("locales", locales), until: .soon)
            return outcomes
        }
        return outcomes.first?.first ?? ""
    }

    /// Publishes everything at a time, sometimes with a new sequencer.
    private mutating func publish(at time: Int) async throws {
        if Int.random(in: 0..<6, using: &random) == 0 { sequencer = try site.sequencer() }
        let session = PostgresSession(site.connection, within: .seconds(60))
        let now = try await sequencer.inspect(session).time
        sequencer.clockAhead = now.duration(to: Timestamp(clamping: time * 1_000_000))
        while try await !sequencer.drain(site.connection, until: .soon).isComplete {}
    }

    private static func pages(of model: OrderModel, at time: Int) -> [StorefrontFeed: Page] {
        var pages: [StorefrontFeed: Page] = [:]
        for feed in OrderHistory.feeds {
            for storefront in model.open.map(\.key) {
                let live = model.live(feed, in: storefront, at: time)
                guard let order = live.shown else { continue }
                pages[StorefrontFeed(storefront: storefront, feed: feed)] = Page(
                    order: order, revision: model.orders[order].revision, end: live.nextChange)
            }
        }
        return pages
    }

    /// Compares the pages of all storefronts with the expected ones.
    private func pageIssue(_ expected: [StorefrontFeed: Page]) async throws -> String? {
        let query = PostgresQuery("live", "SELECT storefront, id FROM vitrine.published WHERE kind = 'feed' AND document IS NOT NULL")
        let live = try await site.connection.rows(of: query, as: String.self, String.self, until: .soon)
            .map { StorefrontFeed(storefront: $0, feed: $1) }
        for storefrontFeed in Set(live).union(expected.keys) {
            let name = "\(storefrontFeed.feed) in \(storefrontFeed.storefront)"
            guard let page = expected[storefrontFeed] else { return "\(name) is published, and should not be" }
            guard let snapshot = try await site.reader.snapshot(of: storefrontFeed) else { return "\(name) is not published" }
            let sections = snapshot.sections.map(\.published.id)
            if snapshot.feed.revision != page.revision || sections != ["\(storefrontFeed.feed)/r\(page.revision)"] {
                return "\(name) has revision \(snapshot.feed.revision) with \(sections), and should have \(page.revision)"
            }
            let end = snapshot.validUntil.map { Int($0.microseconds / 1_000_000) }
            if end != page.end { return "\(name) changes at \(end ?? 0), and should change at \(page.end ?? 0)" }
        }
        return nil
    }

    /// Reads the changes of each storefront since the last step, also of closed ones, and compares the copy of its client with everything that is
    /// published there. A storefront has changes of a feed if and only if its page is another one.
    private mutating func changeIssue(_ expected: [StorefrontFeed: Page], after step: OrderHistory.Step) async throws -> String? {
        let session = PostgresSession(site.connection, within: .seconds(60))
        for storefront in step.model.storefronts.map(\.key) {
            var client = try clients[storefront] ?? StorefrontClient(of: storefront)
            let changed = try await client.update(session, limit: Int.random(in: 2...20, using: &random))
            clients[storefront] = client
            let all = ExpectedScope.query(storefront: storefront, feeds: OrderHistory.feeds, hasLists: true)
            let published = try await site.connection.rows(of: PostgresQuery("all", all), as: String.self, until: .soon)
            if Set(published) != client.content { return "the changes of \(storefront) lead to another state" }
            guard let changed else {
                // The statement has added the storefront, or changed its time zone.
                if step.statement.contains("'\(storefront)'") { continue }
                return "the client of \(storefront) loads everything again"
            }
            for feed in OrderHistory.feeds {
                let key = StorefrontFeed(storefront: storefront, feed: feed)
                let (before, after) = (pages[key], expected[key])
                let name = "\(feed) in \(storefront)"
                if before?.revision != after?.revision, !changed.contains(feed) { return "\(name) has another page, and no change" }
                if before?.order == after?.order, before?.revision == after?.revision, changed.contains(feed) {
                    return "\(name) has a change, and the same page"
                }
            }
        }
        return nil
    }
}
