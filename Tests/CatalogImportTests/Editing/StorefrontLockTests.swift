import EventLoop
import Items
import JSON
import Postgres
import TestDatabase
import TestSupport
import Testing

@testable import CatalogImport

@Suite("The locks of storefronts", .databaseForEachTest)
struct StorefrontLockTests {
    private static let rows = """
        SET search_path = vitrine, public;
        BEGIN;
        \(CatalogRows.storefronts)
        INSERT INTO feeds (key) VALUES ('today');
        INSERT INTO revisions (feed, number, line, document) VALUES ('today', 1, 'main', '{"feed": "today"}');
        COMMIT;
        """

    /// A change of the storefront `sa` that excludes references to it.
    enum Change: CaseIterable {
        case deletion, currency, currencyAndZone

        func apply(_ session: PostgresSession) async throws {
            let store = VocabularyStore(session)
            if self == .deletion {
                let found = try await store.storefront("sa", lock: .uses)
                #expect(found != nil)
                return try await store.remove(VocabularyName(.storefront, "sa"))
            }
            let before = try #require(try await store.storefront("sa", lock: .record)).record
            let record = StorefrontRecord(
                key: "sa", currency: "KWD", timeZone: self == .currency ? before.timeZone : "Asia/Kuwait", locales: before.locales,
                defaultLocale: before.defaultLocale, ratingScheme: before.ratingScheme)
            guard case .changed = try await store.write(.catalog(.storefront(record))) else { throw Unchanged() }
        }
    }

    private struct Unchanged: Error {}

    @Test("A change of a storefront and a publication in it wait for each other in one order", arguments: Change.allCases)
    func publication(change: Change) async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withConnection { connection in
            try await connection.runScript("rows", Self.rows, until: .soon)
            // The publication has the storefronts, but does not refer to a row yet.
            try await connection.runScript("hold", "BEGIN; SELECT hold_storefronts()", until: .soon)
            async let changed: Void = Self.apply(change, configuration)
            let waiting = PostgresQuery("waiting", LockWaits.sql, isPrepared: false)
            try await wait(while: try await connection.rows(of: waiting, as: String.self, until: .soon).isEmpty)
            try await connection.runScript(
                "publish", "SELECT publish('today', 'base', 1, '2090-01-01T00:00:00Z', NULL, '{sa,us}'); COMMIT", until: .soon)
            try await changed
            let spans = PostgresQuery("spans", "SELECT storefront FROM publication_spans ORDER BY storefront")
            #expect(
                try await connection.rows(of: spans, as: String.self, until: .soon) == (change == .deletion ? ["us"] : ["sa", "us"]))
        }
    }

    private static func apply(_ change: Change, _ configuration: PostgresConfiguration) async throws {
        try await withConnection(configuration) { connection in
            try await connection.transaction(until: .soon) { connection in
                try await change.apply(PostgresSession(inTransactionOf: connection, within: .seconds(30)))
            }
        }
    }

    @Test("A deletion does not wait for publications if the storefront does not exist")
    func missing() async throws {
        let configuration = try ScratchDatabase.current.configuration
        try await withConnection { connection in
            try await connection.runScript("hold", "BEGIN; SELECT vitrine.hold_storefronts()", until: .soon)
            try await withConnection(configuration) { connection in
                let session = PostgresSession(connection, within: .seconds(30))
                let found = try await VocabularyStore(session).storefront("sa", lock: .uses)
                #expect(found == nil)
            }
        }
    }
}
