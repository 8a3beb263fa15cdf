import EventLoop
import JSON
import Postgres
import TestDatabase
import Testing
import Values

@testable import Catalog
@testable import Items

/// The responses for an item between its change and the drain that publishes it.
@Suite("A published item", .databaseForEachTest)
struct PublishedItemTests {
    private static let notes = "SELECT pg_temp.top_app('notes', '{\"en\": \"Notes\"}')"

    private static func read(_ connection: PostgresConnection, _ reader: CatalogReader, _ name: String = "notes") async throws -> Item? {
        let query = PostgresQuery("id", "SELECT md5($1::text)::uuid", name)
        let ids = try await connection.rows(of: query, as: UUID.self, until: .soon)
        return try await reader.items(ids, in: try await reader.site("us")).first
    }

    private static func title(_ item: Item?) -> String? { item?.document["title"]?["en"]?.string }

    private static func hero(_ item: Item) -> String? { item.document["images"]?["hero"]?["template"]?.string }

    @Test("A changed item keeps its document and version until it is published again")
    func changed() async throws {
        try await Fixture.run(Self.notes) { connection, reader async throws in
            let first = try #require(try await Self.read(connection, reader))
            try await connection.runScript("change", "UPDATE item_texts SET title = 'Ledger'; UPDATE items SET version = 77", until: .soon)
            #expect(try await Self.read(connection, reader) == first)
            try await connection.publish()
            let second = try #require(try await Self.read(connection, reader))
            #expect(Self.title(second) == "Ledger" && second.version == first.version + 1)
            // The change is not visible to clients.
            try await connection.runScript("touch", "UPDATE items SET version = 78", until: .soon)
            try await connection.publish()
            #expect(try await Self.read(connection, reader) == second)
        }
    }

    @Test("A changed hero publishes its item again, and an unchanged image does not")
    func hero() async throws {
        let hero = "INSERT INTO item_images SELECT id, 'hero', 0, '', 'light', '/{w}/{h}', 16, 9, '{}' FROM items"
        try await Fixture.run("\(Self.notes); \(hero)") { connection, reader async throws in
            let first = try #require(try await Self.read(connection, reader))
            #expect(Self.hero(first) == "/{w}/{h}")
            try await connection.runScript("change", "UPDATE item_images SET template = '/other/{w}/{h}'", until: .soon)
            #expect(try await Self.read(connection, reader) == first)
            try await connection.publish()
            let second = try #require(try await Self.read(connection, reader))
            #expect(Self.hero(second) == "/other/{w}/{h}" && second.version == first.version + 1)
            try await connection.runScript("touch", "UPDATE item_images SET width = width", until: .soon)
            try await connection.publish()
            #expect(try await Self.read(connection, reader) == second)
        }
    }

    @Test("A new item is neither readable nor listed before it is published")
    func new() async throws {
        try await Fixture.run(Self.notes) { connection, reader async throws in
            try await connection.runScript("add", "SELECT pg_temp.top_app('diary', '{\"en\": \"Diary\"}')", until: .soon)
            #expect(try await Self.read(connection, reader, "diary") == nil)
            #expect(try await reader.slugs(by: .title) == ["notes"])
            #expect(try await reader.found("diary") == [])
            try await connection.publish()
            #expect(try await Self.read(connection, reader, "diary") != nil)
            #expect(try await reader.slugs(by: .title) == ["diary", "notes"])
        }
    }

    @Test("A withdrawn item leaves lists immediately, and stays complete until the withdrawal is published")
    func withdrawn() async throws {
        try await Fixture.run(Self.notes) { connection, reader async throws in
            let before = try await Self.read(connection, reader)
            try await connection.runScript("withdraw", "UPDATE items SET deleted_at = now()", until: .soon)
            #expect(try await Self.read(connection, reader) == before)
            #expect(try await reader.slugs(by: .title) == [])
            try await connection.publish()
            #expect(try await Self.read(connection, reader) == nil)
        }
    }

    @Test("An item is readable exactly during its availability, whenever it was published")
    func timed() async throws {
        let script =
            "SELECT pg_temp.food_app('soup', '{\"en\": \"Soup\"}', storefront => 'us', during => '{[2026-03-01 12:00Z,2026-03-02 00:00Z)}')"
        try await Fixture.run(script) { connection, reader async throws in
            for (time, isAvailable) in [
                ("2026-03-01T11:59:59.999999Z", false), ("2026-03-01T12:00:00Z", true), ("2026-03-01T23:59:59.999999Z", true),
                ("2026-03-02T00:00:00Z", false),
            ] {
                let then = CatalogReader(at: try #require(Timestamp(time)), PostgresSession(connection, within: .seconds(60)))
                let item = try await Self.read(connection, then, "soup")
                #expect((item != nil) == isAvailable, "\(time)")
            }
        }
    }
}
