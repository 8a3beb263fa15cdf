import EventLoop
import Postgres
import TestDatabase
import TestSupport
import Testing

@Suite("Platforms and rating schemes in the database", .databaseForEachTest)
struct PlatformConstraintTests {
    /// Statements that each violate a constraint.
    private static let broken: [(rule: String, sql: String)] = [
        ("platforms_pkey", "INSERT INTO platforms (key, runs) VALUES ('ios', '{ios}')"),
        ("platforms_key_check", "INSERT INTO platforms (key, runs) VALUES ('iOS', '{iOS}')"),
        ("platforms_runs_check", "INSERT INTO platforms (key, runs) VALUES ('new', '{ios}')"),
        ("platforms_runs_check", "UPDATE platforms SET runs = '{ios,ios}' WHERE key = 'ios'"),
        ("platforms_runs_check", "UPDATE platforms SET runs = '{}' WHERE key = 'ios'"),
        ("platforms_runs_fkey", "INSERT INTO platforms (key, runs) VALUES ('new', '{new,none}')"),
        ("platforms_runs_fkey", "UPDATE platforms SET runs = '{linux,none}' WHERE key = 'linux'"),
        ("platforms_runs_fkey", "DELETE FROM platforms WHERE key = 'ios'"),
        ("platforms_runs_fkey", "UPDATE platforms SET key = 'phone', runs = '{phone}' WHERE key = 'ios'"),
        ("platforms_runs_cycle_check", "UPDATE platforms SET runs = '{ios,ipados}' WHERE key = 'ios'"),
        ("platforms_runs_cycle_check", "UPDATE platforms SET runs = '{ios,visionos}' WHERE key = 'ios'"),
        ("platforms_runs_cycle_check", "INSERT INTO platforms (key, runs) VALUES ('a', '{a,b}'), ('b', '{b,c}'), ('c', '{c,a}')"),
        ("rating_schemes_pkey", "INSERT INTO rating_schemes (key) VALUES ('pegi')"),
        ("rating_schemes_key_check", "INSERT INTO rating_schemes (key) VALUES ('PEGI')"),
        ("rating_labels_pkey", "INSERT INTO rating_labels (scheme, label, minimum_age) VALUES ('pegi', '3', 4)"),
        ("rating_labels_minimum_age_key", "INSERT INTO rating_labels (scheme, label, minimum_age) VALUES ('pegi', '4', 3)"),
        ("rating_labels_minimum_age_key", "UPDATE rating_labels SET minimum_age = 7 WHERE scheme = 'pegi'"),
        ("rating_labels_scheme_fkey", "INSERT INTO rating_labels (scheme, label, minimum_age) VALUES ('none', '3', 3)"),
        ("rating_labels_label_check", "UPDATE rating_labels SET label = 'a b' WHERE scheme = 'pegi' AND label = '3'"),
        ("rating_labels_minimum_age_check", "UPDATE rating_labels SET minimum_age = 100 WHERE scheme = 'pegi' AND label = '3'"),
    ]

    @Test("The database rejects each statement that violates a constraint, and each constraint has such a statement")
    func refused() async throws {
        try await withConnection { connection in
            try await connection.runScript("path", "SET search_path = vitrine", until: .soon)
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
                    WHERE contype <> 't' AND conrelid = ANY ('{vitrine.platforms, vitrine.rating_schemes, vitrine.rating_labels}'::regclass[])
                    """), as: String.self, until: .soon)
            #expect(Set(rules).subtracting(Self.broken.map(\.rule)) == [])
        }
    }

    @Test("A statement can add platforms that run each other one way, move a key, and exchange the ages of labels")
    func allowed() async throws {
        try await withConnection { connection in
            try await connection.runScript(
                "rows",
                """
                SET search_path = vitrine;
                INSERT INTO platforms (key, runs) VALUES ('a', '{a,b,c}'), ('b', '{b,c}'), ('c', '{c,ios}');
                UPDATE platforms SET
                    key = CASE key WHEN 'c' THEN 'd' ELSE key END, runs = array_replace(runs, 'c', 'd')
                WHERE key IN ('a', 'b', 'c');
                DELETE FROM platforms WHERE key IN ('a', 'b');
                UPDATE rating_labels SET minimum_age = CASE label WHEN '3' THEN 7 ELSE 3 END WHERE scheme = 'pegi' AND label IN ('3', '7');
                """, until: .soon)
            let rows = try await connection.rows(
                of: PostgresQuery(
                    "rows",
                    """
                    SELECT key || ' ' || array_to_string(runs, ',') FROM vitrine.platforms WHERE char_length(key) = 1
                    UNION ALL
                    SELECT label || '=' || minimum_age FROM vitrine.rating_labels WHERE scheme = 'pegi' AND label IN ('3', '7')
                    ORDER BY 1
                    """), as: String.self, until: .soon)
            #expect(rows == ["3=7", "7=3", "d d,ios"])
        }
    }

    @Test("A transaction that changes platforms waits for another one, so that two cannot make a cycle")
    func turns() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withConnection { connection in
            try await connection.runScript(
                "first", "BEGIN; UPDATE vitrine.platforms SET runs = '{linux,macos}' WHERE key = 'linux'", until: .soon)
            async let second: Void = withConnection(configuration) { other in
                let error = await #expect(throws: PostgresError.self) {
                    try await other.runScript(
                        "second", "UPDATE vitrine.platforms SET runs = '{macos,linux}' WHERE key = 'macos'", until: .soon)
                }
                #expect(error?.constraint == "platforms_runs_cycle_check")
            }
            // Other tests wait for locks in their own databases.
            let waits = PostgresQuery("waits", LockWaits.sql)
            try await wait(while: try await connection.rows(of: waits, as: String.self, until: .soon).isEmpty)
            try await connection.runScript("commit", "COMMIT", until: .soon)
            try await second
        }
    }
}
