import Feeds
import Postgres
import Publishing
import TestDatabase
import TestSupport
import Testing

@Suite("What was shown", .databaseForEachTest)
struct PublicationHistoryTests {
    /// Whether it is refused, in a transaction in which some time has passed.
    private static func isRefused(_ sql: String, _ site: Site) async throws -> Bool {
        do throws(PostgresError) {
            try await site.connection.runScript("rewrite", "BEGIN; \(sql); COMMIT", until: .soon)
            return false
        } catch {
            let constraint = error.constraint
            try await site.sql("ROLLBACK")
            guard constraint == "publications_history_check" else { throw error }
            return true
        }
    }

    @Test("is not changed by a transaction that began before it")
    func transactions() async throws {
        try await Site.run("") { site in
            let store = try site.store
            _ = try await store.save(try Site.document("One"))
            try await site.sql("SELECT publish('today', 'base', 1)")
            // By the beginning of the transaction, all of these lie ahead or are just now.
            let soon = "clock_timestamp() + interval '10 milliseconds'"
            for rewrite in [
                "SELECT publish('today', 'base', 1, now())",
                "UPDATE publications SET during = tstzrange(lower(during), now())",
                "INSERT INTO publications (feed, layer, revision, during) VALUES ('today', 'takeover', 1, tstzrange(now(), NULL))",
                "SELECT publish('today', 'takeover', 1, \(soon)); SELECT pg_sleep(0.02); DELETE FROM publications WHERE layer = 'takeover'",
                "SELECT publish('today', 'takeover', 1, \(soon)); SELECT pg_sleep(0.02); UPDATE publications SET during = tstzrange(lower(during), lower(during) + interval '1 microsecond') WHERE layer = 'takeover'",
            ] {
                #expect(try await Self.isRefused(rewrite, site), "\(rewrite)")
            }
            // What is meant to be done there is, more than once.
            #expect(
                try await !Self.isRefused(
                    "SELECT publish('today', 'base', 1); SELECT publish('today', 'takeover', 1); SELECT cancel_publication(max(id)) FROM publications",
                    site))
        }
    }

    @Test("is not changed by who waits for another to publish", .timeLimit(.minutes(1)))
    func locks() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await Site.run("") { site in
            let store = try site.store
            _ = try await store.save(try Site.document("One"))
            try await site.sql("BEGIN; SELECT publish('today', 'base', 1)")
            async let refused: Void = withConnection(configuration) { other in
                do throws(PostgresError) {
                    // Ahead when it is asked, and behind when it is done.
                    try await other.runScript(
                        "late", "SELECT vitrine.publish('today', 'takeover', 1, clock_timestamp() + interval '5 milliseconds')",
                        until: .soon)
                    Issue.record("what is over was published")
                } catch {
                    #expect(error.constraint == "publications_history_check")
                }
            }
            try await wait(while: try await site.rows(LockWaits.sql).isEmpty)
            try await site.sql("SELECT pg_sleep(0.02); COMMIT")
            try await refused
        }
    }
}
