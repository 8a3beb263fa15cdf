import Feeds
import Postgres
import Publishing
import TestDatabase
import TestSupport
import Testing

@Suite("The publication history", .databaseForEachTest)
struct PublicationHistoryTests {
    /// Returns whether a statement is rejected in a transaction that started some time ago.
    private static func isRefused(_ sql: String, _ site: Site) async throws -> Bool {
        do throws(PostgresError) {
            try await site.connection.runScript("rewrite", "BEGIN; \(sql); COMMIT", until: .soon)
            return false
        } catch {
            let constraint = error.constraint
            try await site.sql("ROLLBACK")
            guard constraint == "publication_spans_history_check" else { throw error }
            return true
        }
    }

    @Test("A transaction cannot change the history after its own start")
    func transactions() async throws {
        try await Site.run("") { site in
            let store = try site.store
            _ = try await store.save(try Site.document("One"))
            try await site.sql("SELECT publish('today', 'base', 1)")
            // By the start of the transaction, all these times are in the future or present.
            let soon = "instant_text(clock_timestamp() + interval '10 milliseconds')"
            for rewrite in [
                "SELECT publish('today', 'base', 1, instant_text(now()))",
                "UPDATE publication_spans SET during = tstzrange(lower(during), now())",
                "INSERT INTO publications (feed, layer, revision, from_text) VALUES ('today', 'takeover', 1, instant_text(now())); INSERT INTO publication_spans SELECT id, feed, layer, 'us', tstzrange(now(), NULL) FROM publications WHERE layer = 'takeover'",
                "SELECT publish('today', 'takeover', 1, \(soon)); SELECT pg_sleep(0.02); DELETE FROM publication_spans WHERE layer = 'takeover'",
                "SELECT publish('today', 'takeover', 1, \(soon)); SELECT pg_sleep(0.02); UPDATE publication_spans SET during = tstzrange(lower(during), lower(during) + interval '1 microsecond') WHERE layer = 'takeover'",
            ] {
                #expect(try await Self.isRefused(rewrite, site), "\(rewrite)")
            }
            // Publishing and canceling at the current time are allowed, even several times in one transaction.
            #expect(
                try await !Self.isRefused(
                    "SELECT publish('today', 'base', 1); SELECT publish('today', 'takeover', 1); SELECT cancel_publication(max(id)) FROM publications",
                    site))
        }
    }

    @Test("A session that waits for another publication cannot change the history", .timeLimit(.minutes(1)))
    func locks() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("") { site in
            let store = try site.store
            _ = try await store.save(try Site.document("One"))
            try await site.sql("BEGIN; SELECT publish('today', 'base', 1)")
            async let refused: Void = withConnection(configuration) { other in
                do throws(PostgresError) {
                    // The time is in the future when the statement starts, and in the past when it runs.
                    try await other.runScript(
                        "late",
                        "SELECT vitrine.publish('today', 'takeover', 1, vitrine.instant_text(clock_timestamp() + interval '5 milliseconds'))",
                        until: .soon)
                    Issue.record("what is over was published")
                } catch {
                    #expect(error.constraint == "publication_spans_history_check")
                }
            }
            try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
            try await site.sql("SELECT pg_sleep(0.02); COMMIT")
            try await refused
        }
    }
}
