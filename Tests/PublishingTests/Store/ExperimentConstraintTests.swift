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

    /// Statements that each violate a constraint. The database has a draft `d`, the running `r` and the concluded `c`.
    private static let broken: [(rule: String, sql: String)] = [
        ("experiments_pkey", "INSERT INTO experiments (key, salt, arms, default_arm) SELECT 'r', 's', arms, default_arm FROM experiments"),
        ("experiments_key_check", "UPDATE experiments SET key = 'with space' WHERE key = 'd'"),
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

    @Test("The database rejects each statement that violates a constraint, and each constraint has such a statement")
    func refused() async throws {
        try await withConnection { connection in
            try await connection.runScript("rows", Self.rows, until: .soon)
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
