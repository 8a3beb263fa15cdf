import Postgres
import TestDatabase
import Testing
import Values

@testable import Access

@Suite("The audit log", .databaseForEachTest)
struct AuditStoreTests {
    private static func change(_ subject: String, feed: String? = nil) -> AuditedChange {
        AuditedChange(.saveDraft, feed: feed, of: subject, from: nil, to: Array(#"{"revision": 1}"#.utf8))
    }

    @Test("The audit log lists entries with their actors, newest first, and applies its filters")
    func entries() async throws {
        try await AccessSite.run { site in
            try await site.sql("INSERT INTO vitrine.feeds VALUES ('today'), ('games')")
            let curator = try await site.known("anna")
            for index in 1...3 {
                try await site.audit.record(Self.change("feeds/today/\(index)", feed: "today"), by: curator, request: "r\(index)")
            }
            try await site.audit.record(Self.change("feeds/games/1", feed: "games"), by: nil, request: nil)
            let all = try await site.audit.entries(AuditFilter(), limit: 10)
            #expect(all.map(\.subject) == ["feeds/games/1", "feeds/today/3", "feeds/today/2", "feeds/today/1"])
            #expect(all[0].token == nil && all[1].token == curator.id && all[1].actor == "anna" && all[1].request == "r3")
            #expect(all[1].before == nil && all[1].after == Array(#"{"revision": 1}"#.utf8))
            let next = try await site.audit.entries(AuditFilter(feed: "today"), below: all[1].number, limit: 1)
            #expect(next.map(\.subject) == ["feeds/today/2"])
            #expect(try await site.audit.entries(AuditFilter(actor: "anna"), limit: 10).count == 3)
            #expect(try await site.audit.entries(AuditFilter(since: all[1].at), limit: 10).count == 2)
        }
    }

    @Test(
        "The database rejects an update, a deletion and an entry without a change",
        arguments: [
            "UPDATE vitrine.audit_entries SET actor = 'nobody'", "DELETE FROM vitrine.audit_entries", "TRUNCATE vitrine.audit_entries",
            "SET session_replication_role = replica; DELETE FROM vitrine.audit_entries",
            "INSERT INTO vitrine.audit_entries (actor, action, subject, before, after) VALUES ('a', 'draft.save', 's', '1', '1')",
        ])
    func keeping(sql: String) async throws {
        try await AccessSite.run { site in
            try await site.audit.record(Self.change("feeds"), by: nil, request: nil)
            await #expect(throws: PostgresError.self) { try await site.sql(sql) }
            #expect(try await site.audit.entries(AuditFilter(), limit: 10).count == 1)
        }
    }
}
