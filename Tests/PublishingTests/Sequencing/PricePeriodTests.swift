import Feeds
import Items
import Postgres
import Publishing
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("Price periods over time", .databaseForEachTest)
struct PricePeriodTests {
    private static func feed(_ key: String, _ sections: String...) -> String {
        let all = sections.enumerated().map { #"{"key": "s\#($0)", "layout": {"list": {}}, "cell": "row", \#($1)}"# }
        return #"{"format": 2, "feed": "\#(key)", "title": {"en": "Feed"}, "sections": [\#(all.joined(separator: ", "))]}"#
    }

    /// The sale of `a` in `us` lasts from the second to the fourth hour. `b` is free in the third hour. `c` has always the same
    /// price.
    private static let catalog = """
        BEGIN;
        SELECT pg_temp.top_app(name, '{"en": "App"}', rating => rating, ratings => 1) FROM (VALUES ('a', 3), ('b', 2), ('c', 1)) AS apps (name, rating);
        INSERT INTO item_prices SELECT id, 'us', 'price', 499, 'USD' FROM items;
        INSERT INTO item_price_periods
        SELECT md5(name)::uuid, 'us', 'price', tstzrange(hour + n * interval '1 hour', hour + m * interval '1 hour'), amount, 'USD', former
        FROM (SELECT date_trunc('hour', now()) AS hour) AS hours,
            (VALUES ('a', 2, 4, 299, 499), ('b', 3, 4, 0, NULL::bigint)) AS periods (name, n, m, amount, former);
        COMMIT;
        """

    private static let feeds = [
        feed(
            "today", #""rule": {"discounted": true}"#, #""rule": {"price": "free"}"#,
            #""rule": {"kind": "topApp"}, "badges": [{"badge": "sale", "when": {"discounted": true}}]"#),
        feed("large", #""rule": {"discounted": {"atLeast": 0.41}}"#), feed("cheap", #""rule": {"price": {"atMost": {"USD": 298}}}"#),
        feed("food", #""rule": {"kind": "foodApp"}"#),
        feed("german", #""rule": {"kind": "foodApp"}"#, #""rule": {"discounted": true}, "target": {"storefronts": ["de"]}"#),
    ]

    /// The items whose documents differ from those of the source at the time of the head.
    private static let differences = """
        SELECT published.id FROM vitrine.published JOIN vitrine.item_documents(ARRAY(SELECT id FROM vitrine.items)) AS items
            ON items.item_id::text = published.id AND published.kind = 'item'
        WHERE published.document::text <> items.document::text
        """

    private static func session(_ site: Site) -> PostgresSession {
        PostgresSession(inTransactionOf: site.connection, within: .seconds(60))
    }

    /// Returns how far the clock of the sequencer must be ahead to be an hour after a time.
    private static func ahead(ofHourAfter time: Timestamp?, _ sequencer: Sequencer, _ site: Site) async throws -> Duration {
        try await sequencer.inspect(session(site)).time.duration(to: try #require(time).advanced(by: .seconds(3_600)))
    }

    private static func end(_ feed: String, _ site: Site) async throws -> Timestamp? {
        try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: feed))?.validUntil
    }

    /// Returns the items with a badge in the storefront `us`.
    private static func badges(_ site: Site) async throws -> [String] {
        try await site.rows(
            """
            SELECT slug || ' ' || (document ->> 'badges') FROM vitrine.published JOIN vitrine.items ON items.id = item_id
            WHERE published.kind = 'placement' AND storefront = 'us' AND document ->> 'badges' IS NOT NULL ORDER BY slug
            """)
    }

    private static func price(_ slug: String, _ site: Site) async throws -> ShownPrice? {
        let snapshot = try await site.reader.snapshot(of: StorefrontFeed(storefront: "us", feed: "today"))
        return snapshot?.items.values.first { $0.slug == slug }?.price(.price, in: "us")
    }

    @Test(
        "A price, the rules that depend on it and the badges change at each bound of a period, and not before",
        arguments: [-1, 0])
    func bounds(microseconds: Int) async throws {
        try await Site.run(Self.catalog) { site in
            for feed in Self.feeds { try await site.publish(feed) }
            var sequencer = try site.sequencer()
            let start = try #require(try await sequencer.drain(site.connection, until: .soon).nextTime)
            try await site.sql("BEGIN ISOLATION LEVEL REPEATABLE READ")
            let query = PostgresQuery("now", "SELECT now()")
            let now = try #require(try await site.connection.rows(of: query, as: Timestamp.self, until: .soon).first)
            let hour = start.advanced(by: .seconds(-7_200))
            let regular = ShownPrice(amount: Money(amountMinor: 499, currency: "USD"))
            let end = hour.advanced(by: .seconds(14_400))
            let sale = ShownPrice(amount: Money(amountMinor: 299, currency: "USD"), previousMinor: 499, until: end)
            let free = ShownPrice(amount: Money(amountMinor: 0, currency: "USD"), until: end)
            let all = ["a", "b", "c"]
            // What holds from each hour on.
            let states: [(hour: Int, a: ShownPrice, b: ShownPrice, discounted: [String]?, free: [String]?, next: Int?)] = [
                (0, regular, regular, nil, nil, 2), (2, sale, regular, ["a"], nil, 3), (3, sale, free, ["a"], ["b"], 4),
                (4, regular, regular, nil, nil, nil),
            ]
            for (before, state) in zip(states, states.dropFirst()) {
                let bound = hour.advanced(by: .seconds(state.hour * 3_600))
                sequencer.clockAhead = now.duration(to: bound) + .microseconds(microseconds)
                let report = try await sequencer.drain(Self.session(site))
                let expected = microseconds < 0 ? before : state
                #expect(try await Self.price("a", site) == expected.a, "\(state.hour)")
                #expect(try await Self.price("b", site) == expected.b, "\(state.hour)")
                #expect(try await Self.price("c", site) == regular)
                var sections = ["today/s2": all]
                sections["today/s0"] = expected.discounted
                sections["today/s1"] = expected.free
                #expect(try await site.visibleItems("today") == sections, "\(state.hour)")
                #expect(try await site.visibleItems("cheap") == (expected.free.map { ["cheap/s0": $0] } ?? [:]), "\(state.hour)")
                #expect(try await site.visibleItems("large") == [:])
                #expect(try await Self.badges(site) == (expected.discounted == nil ? [] : [#"a ["sale"]"#]), "\(state.hour)")
                let next = expected.next.map { hour.advanced(by: .seconds($0 * 3_600)) }
                #expect(report.nextTime == next, "\(state.hour)")
                #expect(try await Self.end("today", site) == next, "\(state.hour)")
                // A second drain finds nothing left.
                #expect(try await sequencer.drain(Self.session(site)).versions == 0)
            }
            try await site.sql("ROLLBACK")
        }
    }

    @Test("A bound of a period ends the validity only of feeds whose items or rules it concerns")
    func relevance() async throws {
        try await Site.run(Self.catalog) { site in
            for feed in Self.feeds { try await site.publish(feed) }
            try await site.sql("UPDATE top_apps SET developer = 'SÜDWIND' WHERE item_id = md5('a')::uuid")
            for (feed, developer) in [("folded", "Südwind"), ("others", "Nordwüste")] {
                try await site.publish(Self.feed(feed, #""rule": {"all": [{"developer": "\#(developer)"}, {"discounted": true}]}"#))
            }
            var sequencer = try site.sequencer()
            let start = try #require(try await sequencer.drain(site.connection, until: .soon).nextTime)
            #expect(try await Self.end("today", site) == start)
            // The price is never this low, nor the discount this high, nor is the item German.
            #expect(try await Self.end("food", site) == nil)
            #expect(try await Self.end("german", site) == nil)
            #expect(try await Self.end("large", site) == nil)
            // Only the database can fold a name that is not ASCII.
            #expect(try await Self.end("folded", site) == start)
            #expect(try await Self.end("others", site) == nil)
            // The first price below the limit is that of the third hour.
            #expect(try await Self.end("cheap", site) == start.advanced(by: .seconds(3_600)))
            try await site.sql("DELETE FROM item_price_periods WHERE amount_minor = 299")
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == start.advanced(by: .seconds(3_600)))
            #expect(try await Self.end("today", site) == start.advanced(by: .seconds(3_600)))
            try await site.sql("DELETE FROM item_price_periods")
            #expect(try await sequencer.drain(site.connection, until: .soon).nextTime == nil)
            #expect(try await Self.end("today", site) == nil)
        }
    }

    @Test("A sale of less than one percent is a sale, in rules and in badges")
    func smallest() async throws {
        let script = """
            BEGIN;
            SELECT pg_temp.top_app('a', '{"en": "App"}');
            INSERT INTO item_prices SELECT id, 'us', 'price', 499, 'USD' FROM items;
            INSERT INTO item_price_periods
            SELECT id, 'us', 'price', tstzrange(now() - interval '1 hour', now() + interval '1 hour'), 498, 'USD', 499 FROM items;
            COMMIT;
            """
        try await Site.run(script) { site in
            try await site.publish(
                Self.feed(
                    "today", #""rule": {"discounted": true}"#, #""rule": {"discounted": {"atLeast": 0.01}}"#,
                    #""rule": {"not": {"discounted": {"atLeast": 0.01}}}, "badges": [{"badge": "sale", "when": {"discounted": true}}]"#))
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.connection, until: .soon)
            #expect(try await site.visibleItems("today") == ["today/s0": ["a"], "today/s2": ["a"]])
            #expect(try await Self.badges(site) == [#"a ["sale"]"#])
        }
    }

    @Test("The next change is known although many items have two fees with the same periods")
    func fees() async throws {
        let script = """
            BEGIN;
            SELECT pg_temp.food_app('f' || n, '{"en": "Food"}') FROM generate_series(1, 80) AS n;
            INSERT INTO item_price_periods
            SELECT md5('f' || n)::uuid, 'us', role, tstzrange(hour + n * interval '1 minute', hour + interval '9 hours'), 99, 'USD'
            FROM (SELECT date_trunc('hour', now()) + interval '2 hours' AS hour) AS hours, generate_series(1, 80) AS n,
                unnest('{minimumOrder,deliveryFee}'::price_role[]) AS role;
            COMMIT;
            """
        try await Site.run(script) { site in
            try await site.publish(Self.feed("today", #""pins": [{"slot": 0, "item": "foodapp:f80"}]"#))
            var sequencer = try site.sequencer()
            let first = try #require(try await sequencer.drain(site.connection, until: .soon).nextTime)
            #expect(try await Self.end("today", site) == first.advanced(by: .seconds(79 * 60)))
        }
    }

    @Test("The document of an item has the current prices of a closed storefront")
    func closed() async throws {
        try await Site.run(Self.catalog) { site in
            try await site.publish(Self.feeds[0])
            var sequencer = try site.sequencer()
            let start = try await sequencer.drain(site.connection, until: .soon).nextTime
            try await site.sql("UPDATE storefronts SET closed_at = now() WHERE key = 'us'")
            _ = try await sequencer.drain(site.connection, until: .soon)
            sequencer.clockAhead = try await Self.ahead(ofHourAfter: start, sequencer, site)
            #expect(try await sequencer.drain(site.connection, until: .soon).versions > 0)
            #expect(try await site.rows(Self.differences) == [])
        }
    }

    @Test("Another sequencer publishes the bounds that were passed without one")
    func restart() async throws {
        try await Site.run(Self.catalog) { site in
            for feed in Self.feeds { try await site.publish(feed) }
            var sequencer = try site.sequencer()
            let start = try await sequencer.drain(site.connection, until: .soon).nextTime
            var other = try site.sequencer()
            other.clockAhead = try await Self.ahead(ofHourAfter: start, other, site)
            _ = try await other.drain(site.connection, until: .soon)
            #expect(try await Self.price("a", site)?.previousMinor == 499)
            #expect(try await site.visibleItems("today")["today/s0"] == ["a"])
            // The discount of 40.08 percent is rounded down, also in the database.
            #expect(try await site.visibleItems("large") == [:])
            #expect(try await site.rows(Self.differences) == [])
        }
    }

    /// The number of periods with the same bounds on an idle machine, which has the limit of the product. Otherwise the first
    /// publication of the items adds to the limit.
    private static let measured = TestVariable.number("PRICE_PERIODS").map { Int(clamping: $0) }
    private static let maxDrain = Duration.seconds(2)

    @Test("Ten thousand periods that start at one time are one drain, and so are their ends", .timeLimit(.minutes(10)))
    func many() async throws {
        let count = Self.measured ?? 10_000
        let script = """
            BEGIN;
            SET vitrine.queues_items = 'on';
            INSERT INTO items (id, kind, source, slug, content_hash) SELECT md5(n::text)::uuid, 'topApp', 'a' || n, 'a' || n, sha256('a') FROM generate_series(1, \(count)) AS n;
            INSERT INTO top_apps (item_id, bundle_id, developer, app_version, size_bytes, release_date)
            SELECT id, slug, 'Quay', '1', 1, '2024-05-01' FROM items;
            INSERT INTO item_platforms (item_id, platform) SELECT id, 'ios' FROM items;
            INSERT INTO item_age_ratings (item_id, scheme, label) SELECT id, 'apple-2015', '4+' FROM items;
            INSERT INTO item_texts (item_id, locale, title) SELECT id, 'en', slug FROM items;
            INSERT INTO item_categories SELECT id, 'tools', 1 FROM items;
            INSERT INTO item_prices SELECT id, 'us', 'price', 499, 'USD' FROM items;
            INSERT INTO item_price_periods
            SELECT id, 'us', 'price', tstzrange(date_trunc('hour', now()) + interval '2 hours', date_trunc('hour', now()) + interval '9 hours'), 299, 'USD', 499 FROM items;
            COMMIT;
            RESET vitrine.queues_items;
            SELECT derive_items(\(count));
            """
        try await Site.run(script) { site in
            try await site.publish(Self.feed("today", #""rule": {"discounted": true}, "size": 100"#))
            var sequencer = try site.sequencer()
            let began = ContinuousClock.now
            var report = try await sequencer.drain(site.connection, until: .soon)
            while !report.isComplete { report = try await sequencer.drain(site.connection, until: .soon) }
            // On a busy machine, the first publication of the items takes longer too.
            let first = began.duration(to: .now)
            let limit = Self.measured == nil ? Self.maxDrain + first * 5 : Self.maxDrain
            #expect(try await site.visibleItems("today") == [:])
            for (hours, visible) in [(2, 100), (9, nil)] as [(Int, Int?)] {
                sequencer.clockAhead = .seconds(hours * 3_600)
                let start = ContinuousClock.now
                report = try await sequencer.drain(site.connection, until: .soon)
                let duration = start.duration(to: .now)
                #expect(duration < limit, "hour \(hours)")
                #expect(report.versions > count && report.isComplete)
                #expect(try await site.visibleItems("today")["today/s0"]?.count == visible)
                #expect(try await sequencer.drain(site.connection, until: .soon).versions == 0)
            }
        }
    }
}
