import Catalog
import Feeds
import Items
import Publishing
import TestDatabase
import Testing

@testable import Sync

@Suite("The epoch", .databaseForEachTest)
struct EpochTests {
    private static let apps = "SELECT pg_temp.top_app('a' || n, '{\"en\": \"App\"}') FROM generate_series(1, 9) AS n;"

    @Test("An epoch starts before the first version, and again when the database has another history")
    func begins() async throws {
        try await SyncSite.run(Self.apps) { site in
            let epochs = "SELECT number || ' at ' || start_version FROM sync_epoch ORDER BY number"
            var sequencer = try site.sequencer()
            let head = try await sequencer.drain(site.session).head
            _ = try await sequencer.drain(site.session)
            sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            #expect(try await site.rows(epochs) == ["1 at 0"])
            // A database restored from this one would read another identity.
            try await site.sql("UPDATE sync_epoch SET identity = 'another'; UPDATE items SET rating_average = 1, rating_count = 1")
            sequencer = try site.sequencer()
            #expect(try await sequencer.drain(site.session).head > head)
            #expect(try await site.rows(epochs) == ["1 at 0", "2 at \(head)"])
            try await site.sql("SELECT begin_epoch(true)")
            let read = try await site.reader.proof(of: .testing()).head
            #expect(read.history.epochs.map(\.start) == [0, head, read.version] && Set(read.history.epochs.map(\.id)).count == 3)
        }
    }

    @Test("After a loss, exactly the cursors that saw lost versions are invalid")
    func fork() async throws {
        try await SyncSite.run(Self.apps) { site in
            var sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            var (early, late) = (SyncClient(.testing()), SyncClient(.testing()))
            while try await !early.step(site, limit: 100) {}
            // The next history does not contain the following writes.
            let tables = ["items", "published", "sync_head", "sync_buckets"]
            try await site.sql(tables.map { "CREATE TABLE saved_\($0) AS TABLE \($0);" }.joined())
            for rating in [5, 4, 3] {
                try await site.sql("UPDATE items SET rating_average = \(rating), rating_count = 1 WHERE slug <> 'a9'")
                _ = try await sequencer.drain(site.session)
            }
            while try await !late.step(site, limit: 100) {}
            try await site.sql(
                """
                BEGIN; DELETE FROM published; INSERT INTO published SELECT * FROM saved_published; DELETE FROM sync_buckets;
                INSERT INTO sync_buckets SELECT * FROM saved_sync_buckets; DELETE FROM sync_head; INSERT INTO sync_head SELECT * FROM saved_sync_head;
                UPDATE sync_epoch SET identity = 'before'; UPDATE items SET rating_average = NULL, rating_count = NULL;
                UPDATE items SET rating_average = 2, rating_count = 2 WHERE slug IN ('a2', 'a3', 'a4'); COMMIT;
                """)
            sequencer = try site.sequencer()
            _ = try await sequencer.drain(site.session)
            while try await !early.step(site, limit: 2) {}
            #expect(early.expiries == 0)
            #expect(early.content == (try await site.expected(.testing(), hoursAhead: 0)))
            let proved = try await site.reader.proof(of: .testing()).head
            let head = SyncHead(version: proved.version, floor: proved.floor, history: proved.history)
            let cursor = try #require(late.cursor)
            let expiry = try #require(SyncExpiry(of: cursor, in: .testing(), at: head))
            #expect(expiry.recipe == .reconcile && expiry.version == 9)
            let feeds = SyncScope.testing("us", ["today"])
            let full = SyncExpiry(of: cursor, in: feeds, at: head)
            #expect(full?.recipe == .full && full?.version == 0)
            // The client has higher versions than the new history.
            while try await !late.step(site, limit: 2) {}
            #expect(late.expiries == 1)
            #expect(late.content == (try await site.expected(.testing(), hoursAhead: 0)))
            #expect(try await site.reader.proof(of: .testing()).whole == late.digest)
        }
    }
}
