import Postgres
import TestDatabase
import Testing

@Suite("The constraints of tokens, audit entries, stored responses and imports", .databaseForEachTest)
struct AccessConstraintTests {
    /// Statements that each violate a constraint. The database has a token `a` with one audit entry and one stored response.
    private static let broken: [(rule: String, sql: String)] = [
        ("tokens_pkey", "INSERT INTO tokens (id, name, prefix, hash, scope) SELECT id, 'b', 'vtr_bbbbbbbbbb', hash, scope FROM tokens"),
        ("tokens_prefix_key", "INSERT INTO tokens (name, prefix, hash, scope) SELECT 'b', prefix, hash, scope FROM tokens"),
        ("tokens_name_key", "INSERT INTO tokens (name, prefix, hash, scope) SELECT name, 'vtr_bbbbbbbbbb', hash, scope FROM tokens"),
        ("tokens_name_check", "UPDATE tokens SET name = ''"),
        ("tokens_name_check", "UPDATE tokens SET name = E'a\\nb'"),
        ("tokens_prefix_check", "UPDATE tokens SET prefix = 'vtr_AAAAAAAAAA'"),
        ("tokens_hash_check", "UPDATE tokens SET hash = 'short'"),
        ("tokens_expires_at_check", "UPDATE tokens SET expires_at = created_at"),
        ("tokens_expires_at_check", "UPDATE tokens SET expires_at = 'infinity'"),
        ("tokens_last_used_at_check", "UPDATE tokens SET last_used_at = created_at - interval '1 s'"),
        ("tokens_revoked_at_check", "UPDATE tokens SET revoked_at = created_at - interval '1 s'"),
        (
            "audit_entries_pkey",
            "INSERT INTO audit_entries (number, actor, action, subject, after) OVERRIDING SYSTEM VALUE SELECT number, 'a', 'a.b', 's', '1' FROM audit_entries"
        ),
        (
            "audit_entries_token_fkey",
            "INSERT INTO audit_entries (token, actor, action, subject, after) VALUES (gen_random_uuid(), 'a', 'a.b', 's', '1')"
        ),
        (
            "audit_entries_feed_fkey",
            "INSERT INTO audit_entries (feed, actor, action, subject, after) VALUES ('nothing', 'a', 'a.b', 's', '1')"
        ),
        ("audit_entries_actor_check", "INSERT INTO audit_entries (actor, action, subject, after) VALUES ('', 'a.b', 's', '1')"),
        ("audit_entries_action_check", "INSERT INTO audit_entries (actor, action, subject, after) VALUES ('a', 'Save', 's', '1')"),
        ("audit_entries_subject_check", "INSERT INTO audit_entries (actor, action, subject, after) VALUES ('a', 'a.b', '', '1')"),
        ("audit_entries_change_check", "INSERT INTO audit_entries (actor, action, subject) VALUES ('a', 'a.b', 's')"),
        (
            "audit_entries_change_check",
            "INSERT INTO audit_entries (actor, action, subject, before, after) VALUES ('a', 'a.b', 's', '1', '1')"
        ),
        (
            "audit_entries_request_check",
            "INSERT INTO audit_entries (actor, action, subject, after, request) VALUES ('a', 'a.b', 's', '1', '')"
        ),
        (
            "replies_pkey",
            "INSERT INTO replies (token, key, request_hash, status, body) SELECT token, key, request_hash, status, body FROM replies"
        ),
        ("replies_token_fkey", "UPDATE replies SET token = gen_random_uuid()"),
        ("replies_key_check", "UPDATE replies SET key = ''"),
        ("replies_request_hash_check", "UPDATE replies SET request_hash = ''"),
        ("replies_status_check", "UPDATE replies SET status = 500"),
        ("imports_pkey", "INSERT INTO imports (id, actor, is_dry_run) OVERRIDING SYSTEM VALUE SELECT id, 'a', false FROM imports"),
        ("imports_token_fkey", "UPDATE imports SET token = gen_random_uuid()"),
        ("imports_actor_check", "UPDATE imports SET actor = ''"),
        ("imports_ended_at_check", "UPDATE imports SET ended_at = begun_at - interval '1 s'"),
        ("imports_failure_check", "UPDATE imports SET failure = 'failed'"),
        ("imports_failure_check", "UPDATE imports SET failure = 'It failed', ended_at = now() + interval '1 h'"),
        ("imports_counts_check", "UPDATE imports SET changed_records = -1"),
        ("imports_hash_check", "UPDATE imports SET hash = ''"),
        ("import_rejects_pkey", "INSERT INTO import_rejects SELECT import, number, document FROM import_rejects"),
        ("import_rejects_import_fkey", "UPDATE import_rejects SET import = 0"),
        ("import_rejects_number_check", "UPDATE import_rejects SET number = 0"),
    ]

    @Test("The database rejects each statement that violates a constraint, and each constraint has such a statement")
    func refused() async throws {
        try await withConnection { connection in
            try await connection.runScript(
                "rows",
                """
                SET search_path = vitrine;
                INSERT INTO tokens (name, prefix, hash, scope) VALUES ('a', 'vtr_aaaaaaaaaa', sha256(''), 'read');
                INSERT INTO audit_entries (actor, action, subject, after) VALUES ('a', 'token.create', 'tokens/a', '1');
                INSERT INTO replies (token, key, request_hash, status, body) SELECT id, 'k', hash, 200, '' FROM tokens;
                INSERT INTO imports (actor, is_dry_run) VALUES ('a', false);
                INSERT INTO import_rejects SELECT id, 1, '{}' FROM imports;
                """, until: .soon)
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
                    WHERE contype <> 't' AND conrelid = ANY ('{vitrine.tokens, vitrine.audit_entries, vitrine.replies, vitrine.imports,
                        vitrine.import_rejects}'::regclass[])
                    """), as: String.self, until: .soon)
            #expect(Set(rules).subtracting(Self.broken.map(\.rule)) == [])
        }
    }
}
