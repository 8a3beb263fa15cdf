import Host
import Postgres
import Publishing
import TestDatabase
import TestSupport
import Testing

@Suite("Concurrent orders", .databaseForEachTest)
struct PublishingRaceTests {
    private static let races = TestVariable.number("PUBLISHING_RACES").map { Int(clamping: $0) } ?? 20

    /// A time after the present and before the starts of all orders, in seconds since 1970.
    private static let earliest = SystemInfo.wallClock / 1_000_000 + 365 * 86_400

    private static let feed = """
        INSERT INTO feeds (key) VALUES ('today');
        INSERT INTO revisions (feed, number, line, document) VALUES ('today', 1, 'main', '{"feed": "today"}');
        """

    @Test("Of two takeovers at the same time both are published in separate storefronts, and else an error lists the shared ones")
    func takeovers() async throws {
        let configuration = try ScratchDatabase.current.configuration
        let cases: [(storefronts: [String?], shared: String?)] = [
            (["{sa}", "{us}"], nil), (["{sa,de}", "{us,de}"], "de"), (["{sa}", nil], "sa"), (["{us,sa,de}", "{us,de}"], "de, us"),
        ]
        try await Site.run(Self.feed) { site in
            for race in 0..<Self.races {
                let day = OrderHistory.text(Self.earliest) + "Z"
                for (storefronts, shared) in cases {
                    // Both wait for the feed, so that they start together.
                    try await site.sql("BEGIN; SELECT FROM feeds WHERE key = 'today' FOR UPDATE")
                    async let first = Self.overlap(of: day, storefronts[0], configuration)
                    async let second = Self.overlap(of: day, storefronts[1], configuration)
                    try await wait(while: try await site.rows(LockWaits.sql).count < 2)
                    try await site.sql("COMMIT")
                    let messages = try await [first, second].compactMap(\.self)
                    let expected = shared.map { ["another publication has the time in \($0)"] } ?? []
                    #expect(messages == expected, "race \(race), \(storefronts)")
                    let overlaps = try await site.rows(
                        "SELECT storefront FROM publication_spans GROUP BY storefront HAVING count(*) > 1")
                    #expect(overlaps.isEmpty, "race \(race), \(storefronts)")
                    try await site.sql("SELECT cancel_publication(id) FROM publications WHERE cancelled_at IS NULL")
                }
            }
        }
    }

    @Test(
        "A storefront that is added while four curators publish has the spans of every order for all storefronts", arguments: [Seeds.fresh])
    func storefront(seed: UInt64) async throws {
        let configuration = try ScratchDatabase.current.configuration
        // A change of clocks, around which the orders start.
        let center = try ZoneClock("America/New_York").midnightBeforeGoingBack(after: Self.earliest + 7 * 86_400)
        try await Site.run("") { site in
            for race in 0..<Self.races {
                let comment = Comment("seed \(seed), race \(race)")
                let feeds = (0..<5).map { "race-\(race)-\($0)" }
                for feed in feeds {
                    try await site.sql(
                        """
                        INSERT INTO feeds (key) VALUES ('\(feed)');
                        INSERT INTO revisions (feed, number, line, document) VALUES ('\(feed)', 1, 'main', '{"feed": "\(feed)"}')
                        """)
                }
                let zone = OrderHistory.zones[race % OrderHistory.zones.count]
                let orders = try await withThrowingTaskGroup(of: [CuratorOrder].self) { group in
                    for curator in 0..<4 {
                        group.addTask {
                            var orders = RandomOrders(
                                seed: seed &+ UInt64(race * 4 + curator), around: center, feed: feeds[curator], sharedFeed: feeds[4])
                            return try await orders.publish(configuration)
                        }
                    }
                    group.addTask {
                        try await Self.add("xx-\(race)", in: zone, after: Double(race % 16) / 500, configuration)
                        return []
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                let expected = try CuratorOrder.expectedSpans(of: orders, in: zone, at: Self.earliest, comment)
                let spans = try await site.rows(
                    """
                    SELECT concat_ws(
                        ' ', publication, CASE WHEN lower(during) > to_timestamp(\(Self.earliest)) THEN extract(epoch FROM lower(during))::bigint END,
                        'until', extract(epoch FROM upper(during))::bigint)
                    FROM publication_spans WHERE storefront = 'xx-\(race)' AND feed LIKE 'race-\(race)-%'
                    """)
                #expect(spans.sorted() == expected.sorted(), comment)
                // So that the next storefronts have the spans of their own race only.
                try await site.sql(
                    """
                    UPDATE storefronts SET closed_at = now() WHERE key = 'xx-\(race)';
                    SELECT cancel_publication(publication)
                    FROM (SELECT DISTINCT publication FROM publication_spans WHERE coalesce(upper(during), 'infinity') > clock_timestamp()) AS ahead
                    """)
            }
        }
    }

    @Test(
        "Of a publication and the deletion of its experiment, or the loss of its arm, at the same time exactly one succeeds",
        arguments: [
            "DELETE FROM vitrine.experiments WHERE key = 'weekend'",
            #"UPDATE vitrine.experiments SET arms = '{"control": [[0, 100]]}' WHERE key = 'weekend'"#,
        ])
    func experiments(change: String) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run(Self.experimentFeed) { site in
            for race in 0..<Self.races {
                try await site.sql(
                    #"""
                    DELETE FROM experiments;
                    INSERT INTO experiments (key, salt, arms, default_arm)
                    VALUES ('weekend', 'weekend', '{"control": [[0, 50]], "pairs": [[50, 100]]}', 'control');
                    """#)
                let publication = "SELECT vitrine.publish('today', 'takeover', 1)"
                // Both wait for the experiment, in this order. In every third race they just start.
                let order = race % 3 == 0 ? [publication, change] : [change, publication]
                let isHeld = race % 3 != 2
                if isHeld { try await site.sql("BEGIN; SELECT FROM experiments FOR UPDATE") }
                async let first = Self.isDone(order[0], configuration)
                if isHeld { try await wait(while: try await site.rows(LockWaits.sql).count < 1) }
                async let second = Self.isDone(order[1], configuration)
                if isHeld {
                    try await wait(while: try await site.rows(LockWaits.sql).count < 2)
                    try await site.sql("COMMIT")
                }
                let done = try await [first, second]
                #expect(isHeld ? done == [true, false] : done.count { $0 } == 1, "race \(race): \(order), \(done)")
                let isWhole = try await site.rows("SELECT key FROM experiments WHERE arms ? 'pairs'") == ["weekend"]
                let uses = try await site.rows("SELECT arm FROM experiment_uses('weekend')")
                #expect(uses == (isWhole ? ["pairs"] : []), "race \(race): \(order)")
                try await site.sql("SELECT cancel_publication(id) FROM publications WHERE cancelled_at IS NULL")
            }
        }
    }

    @Test("A change of an experiment that waits for a publication does not delay a change of another experiment")
    func otherExperiment() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run(Self.experimentFeed) { site in
            try await site.sql(
                #"""
                INSERT INTO experiments (key, salt, arms, default_arm)
                SELECT key, key, '{"control": [[0, 50]], "pairs": [[50, 100]]}', 'control' FROM unnest('{weekend,other}'::text[]) AS key
                """#)
            try await site.sql("BEGIN; SELECT publish('today', 'takeover', 1)")
            async let waiting: Void = Self.lock("weekend", configuration)
            try await wait(while: try await site.rows(LockWaits.sql).count < 1)
            try await Self.lock("other", configuration)
            try await site.sql("COMMIT")
            try await waiting
        }
    }

    /// Locks an experiment for a change, and changes nothing.
    private static func lock(_ key: String, _ configuration: PostgresConfiguration) async throws {
        try await withConnection(configuration) { connection in
            try await connection.transaction(until: .soon) { connection in
                try await ExperimentStore(PostgresSession(inTransactionOf: connection, within: .seconds(30))).lock(key)
            }
        }
    }

    private static let experimentFeed = """
        INSERT INTO feeds (key) VALUES ('today');
        INSERT INTO revisions (feed, number, line, document)
        VALUES ('today', 1, 'main', '{"feed":"today","sections":[{"target":{"experiment":{"weekend":["pairs"]}}}]}');
        """

    /// Runs a statement. Returns false if a change of an experiment excludes a publication, or the other way around.
    private static func isDone(_ sql: String, _ configuration: PostgresConfiguration) async throws -> Bool {
        let isDone = Locked(false)
        try await withConnection(configuration) { connection in
            do throws(PostgresError) {
                try await connection.runScript("statement", sql, until: .soon)
                isDone.withLock { $0 = true }
            } catch {
                let excluding = ["experiments_in_use_check", "publications_experiments_fkey", "publications_arms_fkey"]
                guard let constraint = error.constraint, excluding.contains(constraint) else { throw error }
            }
        }
        return isDone.withLock { $0 }
    }

    /// Publishes a takeover of a day. Returns the message of the error if another one has the time.
    private static func overlap(of day: String, _ storefronts: String?, _ configuration: PostgresConfiguration) async throws -> String? {
        let message = Locked<String?>(nil)
        try await withConnection(configuration) { connection in
            let query = PostgresQuery(
                "publish", "SELECT vitrine.publish('today', 'takeover', 1, $1::text, NULL, $2::text::text[])", day, storefronts)
            do throws(PostgresError) {
                try await connection.run(query, until: .soon)
            } catch {
                guard error.constraint == "publication_spans_during_excl" else { throw error }
                message.withLock { $0 = error.message }
            }
        }
        return message.withLock { $0 }
    }

    private static func add(_ key: String, in zone: String, after seconds: Double, _ configuration: PostgresConfiguration) async throws {
        try await withConnection(configuration) { connection in
            try await connection.runScript(
                "add",
                """
                BEGIN;
                SELECT pg_sleep(\(seconds));
                INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale) VALUES ('\(key)', 'USD', '\(zone)', 'en');
                INSERT INTO vitrine.storefront_locales (storefront, locale, rank) VALUES ('\(key)', 'en', 1);
                COMMIT
                """, until: .soon)
        }
    }
}
