import Feeds
import Postgres
import Publishing
import Resolve
import TestDatabase
import TestSupport
import Testing

@Suite("The registry of experiments in the database", .databaseForEachTest)
struct ExperimentConstraintTests {
    private static let halves = #"'{"a": [[0, 50]], "b": [[50, 100]]}'"#
    private static func insert(_ arms: String, standard: String = "a", rest: String = "'draft', NULL") -> String {
        "INSERT INTO experiments (key, salt, arms, default_arm, state, winner) VALUES ('new', 'new', '\(arms)', '\(standard)', \(rest))"
    }

    /// Statements that each violate a constraint. The database has the drafts `d` and `u`, the running `r` and the concluded `c` and
    /// `o`. A feed names the arm `b` of `u` in a section, and of `o` in a pin.
    private static let broken: [(rule: String, sql: String)] = [
        ("experiments_pkey", "INSERT INTO experiments (key, salt, arms, default_arm) SELECT 'r', 's', arms, default_arm FROM experiments"),
        ("experiments_key_check", "UPDATE experiments SET key = 'with space' WHERE key = 'd'"),
        (
            "experiments_key_check",
            "INSERT INTO experiments (key, salt, arms, default_arm) SELECT 'd:plan', 's', arms, default_arm FROM experiments WHERE key = 'd'"
        ),
        ("experiments_salt_check", "UPDATE experiments SET salt = '' WHERE key = 'd'"),
        ("experiments_arms_check", insert(#"{"a": [[0, 50]], "b": [[51, 100]]}"#)),
        ("experiments_default_check", insert(#"{"a": [[0, 100]]}"#, standard: "b")),
        ("experiments_winner_check", insert(#"{"a": [[0, 100]]}"#, rest: "'draft', 'a'")),
        ("experiments_winner_check", "UPDATE experiments SET winner = 'a' WHERE key = 'r'"),
        ("experiments_state_check", insert(#"{"a": [[0, 100]]}"#, rest: "'running', NULL")),
        ("experiments_state_check", "UPDATE experiments SET state = 'concluded', winner = 'a' WHERE key = 'd'"),
        ("experiments_state_check", "UPDATE experiments SET state = 'draft' WHERE key = 'r'"),
        ("experiments_state_check", "UPDATE experiments SET state = 'running', winner = NULL WHERE key = 'c'"),
        ("experiments_fixed_check", "UPDATE experiments SET salt = 'other' WHERE key = 'r'"),
        ("experiments_fixed_check", "UPDATE experiments SET default_arm = 'b' WHERE key = 'r'"),
        ("experiments_fixed_check", #"UPDATE experiments SET arms = '{"a": [[0, 50]], "c": [[50, 100]]}' WHERE key = 'r'"#),
        ("experiments_fixed_check", #"UPDATE experiments SET arms = arms || '{"c": []}' WHERE key = 'r'"#),
        ("experiments_fixed_check", "UPDATE experiments SET key = 'other' WHERE key = 'd'"),
        ("experiments_fixed_check", #"UPDATE experiments SET arms = '{"a": [[0, 20]], "b": [[20, 100]]}' WHERE key = 'c'"#),
        ("experiments_fixed_check", "UPDATE experiments SET winner = 'a' WHERE key = 'c'"),
        ("experiments_running_check", "DELETE FROM experiments WHERE key = 'r'"),
        ("experiments_in_use_check", "DELETE FROM experiments WHERE key = 'u'"),
        ("experiments_in_use_check", "DELETE FROM experiments WHERE key = 'o'"),
        ("experiments_in_use_check", #"UPDATE experiments SET arms = '{"a": [[0, 100]], "c": []}' WHERE key = 'u'"#),
        ("publications_experiments_fkey", "SELECT publish('used', 'base', 2)"),
        ("publications_arms_fkey", "SELECT publish('used', 'base', 3)"),
        ("holdouts_pkey", "INSERT INTO holdouts (salt, share) VALUES ('h', 1)"),
        ("holdouts_is_only_check", "INSERT INTO holdouts (is_only, salt, share) VALUES (false, 'h', 1)"),
        ("holdouts_salt_check", "UPDATE holdouts SET salt = 'not a name'"),
        ("holdouts_share_check", "UPDATE holdouts SET share = 101"),
    ]

    private static let rows = """
        SET search_path = vitrine;
        INSERT INTO experiments (key, salt, arms, default_arm) VALUES ('d', 'd', \(halves), 'a'), ('r', 'r', \(halves), 'a'), ('c', 'c', \(halves), 'a');
        UPDATE experiments SET state = 'running' WHERE key IN ('r', 'c');
        UPDATE experiments SET state = 'concluded', winner = 'b' WHERE key = 'c';
        """

    /// A feed whose first revision is published and names `u` and `o`, and whose next revisions name what does not exist.
    private static let feed = """
        INSERT INTO experiments (key, salt, arms, default_arm) VALUES ('u', 'u', \(halves), 'a'), ('o', 'o', \(halves), 'a');
        UPDATE experiments SET state = 'running' WHERE key = 'o';
        UPDATE experiments SET state = 'concluded', winner = 'b' WHERE key = 'o';
        BEGIN;
        INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('us', 'USD', 'America/New_York', 'en');
        INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('us', 'en', 1);
        COMMIT;
        INSERT INTO feeds (key) VALUES ('used');
        INSERT INTO revisions (feed, number, line, document) VALUES
            ('used', 1, 'main', '{"feed":"used","sections":[{"target":{"experiment":{"u":["b"]}}},{"pins":[{"target":{"experiment":{"o":["b"]}}}]}]}'),
            ('used', 2, 'main', '{"feed":"used","sections":[{"target":{"experiment":{"gone":["a"]}}}]}'),
            ('used', 3, 'main', '{"feed":"used","sections":[{"target":{"experiment":{"r":["c"]}}}]}'),
            ('used', 4, 'main', '{"feed":"used","sections":[]}');
        SELECT publish('used', 'base', 1);
        """

    @Test("The database rejects each statement that violates a constraint, and each constraint has such a statement")
    func refused() async throws {
        try await withConnection { connection in
            try await connection.runScript("rows", Self.rows + Self.feed, until: .soon)
            for (rule, sql) in Self.broken {
                let error = await #expect(throws: PostgresError.self, "\(sql)") {
                    try await connection.runScript("break", sql, until: .soon)
                }
                #expect(error?.constraint == rule, "\(sql): \(String(describing: error))")
            }
            let rules = try await connection.rows(
                of: PostgresQuery(
                    "constraints",
                    """
                    SELECT conname::text FROM pg_constraint
                    WHERE contype <> 't' AND conrelid = ANY ('{vitrine.experiments, vitrine.holdouts}'::regclass[])
                    """), as: String.self, until: .soon)
            #expect(Set(rules).subtracting(Self.broken.map(\.rule)) == [])
        }
    }

    @Test("The database rejects each broken experiment, and stores no part of it")
    func broken() async throws {
        try await withConnection { connection in
            try await connection.runScript("path", "SET search_path = vitrine", until: .soon)
            for broken in BrokenExperiment.all {
                func literal(_ text: String?) -> String { text.map { "'\($0)'" } ?? "NULL" }
                // One script is one transaction. An experiment ends only after it has run.
                let end = """
                    UPDATE experiments SET state = 'running';
                    UPDATE experiments SET state = 'concluded', winner = \(literal(broken.winner));
                    """
                let insert = """
                    INSERT INTO experiments (key, salt, arms, default_arm) VALUES ('e', 'e', '\(broken.arms)', \(literal(broken.defaultArm)));
                    """
                let error = await #expect(throws: PostgresError.self, "\(broken.name)") {
                    try await connection.runScript("insert", broken.part == .winner ? insert + end : insert, until: .soon)
                }
                let rule =
                    switch broken.part {
                    case .arms, .names: "experiments_arms_check"
                    case .defaultArm: broken.defaultArm == nil ? nil : "experiments_default_check"
                    case .winner: "experiments_winner_check"
                    }
                #expect(
                    error?.constraint == rule && error?.column == (rule == nil ? "default_arm" : nil),
                    "\(broken.name): \(String(describing: error))")
            }
            #expect(try await ExperimentStore(PostgresSession(connection, within: .seconds(30))).experiments() == [])
        }
    }

    @Test("The ranges of a running experiment move, and a draft and a concluded experiment can be deleted")
    func allowed() async throws {
        try await withConnection { connection in
            try await connection.runScript(
                "rows",
                Self.rows + """
                    UPDATE experiments SET arms = '{"a": [[0, 20], [90, 100]], "b": [[20, 90]]}' WHERE key = 'r';
                    UPDATE experiments SET salt = 's', arms = '{"x": [[0, 100]]}', default_arm = 'x' WHERE key = 'd';
                    DELETE FROM experiments WHERE key IN ('d', 'c');
                    """, until: .soon)
            let store = ExperimentStore(PostgresSession(connection, within: .seconds(30)))
            let experiment = Experiment(salt: "r", arms: ["a": [0..<20, 90..<100], "b": [20..<90]], defaultArm: "a", state: .running)
            #expect(try await store.experiments() == [RegisteredExperiment(key: "r", try #require(experiment))])
        }
    }

    @Test("What a feed does not name can change, and all of it when the feed no longer names it")
    func released() async throws {
        try await withConnection { connection in
            try await connection.runScript("rows", Self.rows + Self.feed, until: .soon)
            let store = ExperimentStore(PostgresSession(connection, within: .seconds(30)))
            #expect(try await store.uses(of: "u") == [ExperimentUse(feed: "used", arm: "b")])
            #expect(try await store.uses(of: "o") == [ExperimentUse(feed: "used", arm: "b")])
            #expect(try await store.uses(of: "r") == [])
            // An older program asks for the feeds alone.
            let feeds = PostgresQuery("feeds", "SELECT feed FROM vitrine.feeds_with_experiment('u') AS feed")
            #expect(try await connection.rows(of: feeds, as: String.self, until: .soon) == ["used"])
            try await connection.runScript(
                "change",
                """
                UPDATE experiments SET salt = 's', arms = '{"b": [[0, 10]], "c": [[10, 100]]}', default_arm = 'c' WHERE key = 'u';
                SELECT publish('used', 'takeover', 1, instant_text(now() + interval '1 hour'), instant_text(now() + interval '2 hours'));
                SELECT publish('used', 'base', 4);
                """, until: .soon)
            // The takeover is ahead.
            #expect(try await store.uses(of: "u").feeds == ["used"])
            try await connection.runScript(
                "cancel",
                """
                SELECT cancel_publication(max(id)) FROM publications WHERE layer = 'takeover';
                UPDATE experiments SET arms = '{"a": [[0, 100]]}', default_arm = 'a' WHERE key = 'u';
                DELETE FROM experiments WHERE key IN ('u', 'o');
                """, until: .soon)
            #expect(try await store.experiments().map(\.key) == ["c", "d", "r"])
        }
    }

    @Test("An order for all storefronts holds its experiment while a new storefront would show it, also if each one has a local base")
    func heldByOrders() async throws {
        try await withConnection { connection in
            try await connection.runScript(
                "rows", Self.rows + Self.feed + "SELECT publish('used', 'base', 4, in_storefronts => '{us}')", until: .soon)
            let store = ExperimentStore(PostgresSession(connection, within: .seconds(30)))
            let ahead = PostgresQuery(
                "ahead",
                """
                SELECT count(*) FROM vitrine.publication_spans
                WHERE coalesce(upper(during), 'infinity') > clock_timestamp() AND publication = 1
                """)
            #expect(try await connection.rows(of: ahead, as: Int.self, until: .soon) == [0])
            #expect(try await store.uses(of: "u") == [ExperimentUse(feed: "used", arm: "b")])
            let error = await #expect(throws: PostgresError.self) { try await store.delete("u") }
            #expect(error?.constraint == "experiments_in_use_check")
            try await connection.runScript(
                "new",
                """
                INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('de', 'EUR', 'Europe/Berlin', 'de');
                INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('de', 'de', 1);
                """, until: .soon)
            #expect(try await connection.rows(of: ahead, as: Int.self, until: .soon) == [1], "the new storefront does not show the order")
            try await connection.runScript(
                "released", "SELECT publish('used', 'base', 4, replaces_local => true); DELETE FROM experiments WHERE key = 'u'",
                until: .soon)
            #expect(try await store.experiment("u") == nil)
        }
    }

    @Test("A key with a colon, which older releases accepted, remains usable")
    func olderKeys() async throws {
        try await withConnection { connection in
            try await connection.runScript(
                "rows",
                Self.rows + """
                    ALTER TABLE experiments DISABLE TRIGGER check_experiment;
                    INSERT INTO experiments (key, salt, arms, default_arm) VALUES ('a:b', 'a', \(Self.halves), 'a');
                    ALTER TABLE experiments ENABLE ALWAYS TRIGGER check_experiment;
                    """, until: .soon)
            let store = ExperimentStore(PostgresSession(connection, within: .seconds(30)))
            let experiment = try #require(try await store.experiment("a:b")?.experiment)
            try await store.save(RegisteredExperiment(key: "a:b", try experiment.started()))
            #expect(try await store.experiment("a:b")?.experiment.state == .running)
        }
    }

    @Test("The arms are checked in a parallel worker as well")
    func parallel() async throws {
        try await withConnection { connection in
            try await connection.runScript(
                "settings", "SET search_path = vitrine; SET force_parallel_mode = on; SET parallel_setup_cost = 0", until: .soon)
            let query = PostgresQuery(
                "arms",
                #"""
                SELECT arms FROM (VALUES ('{"a": [[0, 100]]}'), ('{"a": [["0", "100"]]}'), ('{"a": [[0]]}'), ('{"a": [0]}')) AS given (arms)
                WHERE vitrine.are_arms(arms::jsonb)
                """#)
            #expect(try await connection.rows(of: query, as: String.self, until: .soon) == [#"{"a": [[0, 100]]}"#])
        }
    }

    @Test("The store returns each experiment and the holdout as they were saved")
    func stored() async throws {
        try await withConnection { connection in
            let store = ExperimentStore(PostgresSession(connection, within: .seconds(30)))
            #expect(try await store.holdout() == Holdout(salt: "holdout", share: 0))
            var experiment = try #require(Experiment(salt: "s", arms: ["a": [0..<100], "b": []], defaultArm: "a", state: .draft))
            for step in 0..<3 {
                if step == 1 { experiment = try experiment.started() }
                if step == 2 { experiment = try experiment.concluded(winner: "b") }
                try await store.save(RegisteredExperiment(key: "weekend", experiment))
                #expect(try await store.experiment("weekend")?.experiment == experiment)
            }
            try await store.set(Holdout(salt: "h-2026", share: 5))
            #expect(try await store.holdout() == Holdout(salt: "h-2026", share: 5))
            try await store.delete("weekend")
            #expect(try await store.experiment("weekend") == nil)
        }
    }
}
