import Postgres
import SQLFiles
import Security
import TestDatabase
import Testing
import Values

@testable import Feeds
@testable import Publishing

@Suite("The last year of publications", .databaseForEachTest)
struct LastYearTests {
    @Test("The database rejects a start and an end in the year 9999, as a wall clock and as an instant")
    func constraints() async throws {
        try await Site.run("") { site in
            _ = try await site.store.save(try Site.document("One"))
            for (from, until, constraint) in [
                ("9999-01-01T00:00", nil, "publications_from_check"), ("9999-01-01T00:00:00Z", nil, "publications_from_check"),
                ("9998-12-31T23:59:59-00:01", nil, "publications_from_check"), (nil, "9999-12-31T23:59", "publications_until_check"),
            ] {
                do throws(PostgresError) {
                    let query = PostgresQuery("publish", "SELECT publish('today', 'takeover', 1, $1::text, $2::text)", from, until)
                    try await site.connection.run(query, until: .soon)
                    Issue.record("\(from ?? "") until \(until ?? "") was published")
                } catch { #expect(error.constraint == constraint) }
            }
            let feed = try #require(FeedKey("today"))
            let last = PublicationOrder(from: PlannedTime("9998-12-31T23:59"))
            let published = try await site.store.publish(1, of: feed, last)
            // Storefronts that are added later read the last time as well.
            try await site.sql(
                """
                INSERT INTO storefronts (key, currency, time_zone, default_locale) VALUES ('as', 'USD', 'Pacific/Pago_Pago', 'en');
                INSERT INTO storefront_locales (storefront, locale, rank) VALUES ('as', 'en', 1)
                """)
            let west = try #require(try await site.store.publication(published.id)?.spans.first { $0.storefront == "as" })
            #expect(west.from == Timestamp("9999-01-01T10:59:00Z"))
        }
    }

    @Test("An end in the year 1 is over everywhere, and is rejected like any other end in the past")
    func firstYear() async throws {
        try await Site.run("UPDATE storefronts SET time_zone = 'Asia/Tokyo' WHERE key = 'sa'") { site in
            _ = try await site.store.save(try Site.document("One"))
            let feed = try #require(FeedKey("today"))
            let order = PublicationOrder(until: PlannedTime("0001-01-01T00:00"))
            #expect(try await site.store.proposedSpans(of: feed, on: .takeover, order).allSatisfy(\.isEmpty))
            #expect(try await site.rejection(.publish(1, feed, on: .takeover, order))?.code == .invalidEnd)
            // A wall clock that has passed is now.
            let passed = PublicationOrder(from: PlannedTime("0001-01-01T00:00"))
            #expect(try await site.store.proposedSpans(of: feed, on: .base, passed).allSatisfy(\.startsNow))
        }
    }

    @Test("A migration cancels publications that start in the year 9999, and removes later ends")
    func migration() async throws {
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let site = Site(connection: connection)
                let migrations = SQLFiles.migrations.sorted { $0.name < $1.name }
                func migrate(_ count: Int) async throws {
                    let set = try MigrationSet(Array(migrations.prefix(count)), digest: Digest.sha256)
                    try await MigrationRunner(set).migrate(connection)
                }
                try await migrate(migrations.count { $0.name < "0037" })
                try await site.sql(
                    CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;"
                        + """
                        SELECT save_revision('today', 'main', '{"format": 2, "feed": "today", "title": {"en": "Today"}, "sections": []}');
                        SELECT publish('today', 'base', 1), publish('today', 'base', 1, '9998-12-31T12:00'),
                            publish('today', 'base', 1, '9999-03-01T00:00'), publish('today', 'base', 1, '9999-12-31T23:30'),
                            publish('today', 'takeover', 1, NULL, '9999-12-31T23:30')
                        """)
                try await migrate(migrations.count)
                let publications = try await site.store.publications()
                // The last base had a start in the west that no client can represent.
                #expect(publications.map(\.spans.count) == [3, 3, 3])
                #expect(publications[0].end != nil && publications[1].end == nil)
                #expect(publications.last?.layer == .takeover && publications.last?.until == nil && publications.last?.end == nil)
                let canceled = try await site.rows(
                    "SELECT id::text FROM publications WHERE cancelled_at IS NOT NULL ORDER BY publications.id")
                #expect(canceled.count == 2)
                // Orders are protected again.
                let refused = await #expect(throws: PostgresError.self) {
                    try await site.sql("UPDATE publications SET replace_local = true")
                }
                #expect(refused?.sqlState == SQLState(rawValue: "0A000"), "\(String(describing: refused))")
            }
        }
    }
}
