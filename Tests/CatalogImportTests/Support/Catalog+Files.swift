import CatalogImport
import Postgres
import TestDatabase

extension Catalog {
    static func with(_ body: @escaping @Sendable (Catalog) async throws -> Void) async throws {
        try await withConnection { connection in try await body(Catalog(connection: connection)) }
    }

    /// Two storefronts, three categories, a TopApp, a FoodApp and a chart.
    static let file =
        output + Records.topApp + "\n" + Records.foodApp + "\n"
        + "{\"kind\":\"chart\",\"storefront\":\"us\",\"name\":\"top-free\",\"items\":[\"foodapp:saffron-table\",\"topapp:harbor-notes\"]}\n"

    /// Returns the records of TopApps with these numbers, in which a part of the text is replaced.
    static func items(_ numbers: Range<Int>, _ part: String = "1024", _ other: String = "1024") -> String {
        numbers.map { Records.topApp("harbor-notes", "item-\($0)").replacing(part, with: other) + "\n" }.joined()
    }

    static func counts(_ new: Int, _ changed: Int, _ unchanged: Int, _ rejected: Int = 0, withdrawn: Int = 0) -> ImportCounts {
        var counts = ImportCounts()
        (counts.new, counts.changed, counts.unchanged, counts.rejected, counts.withdrawn) = (new, changed, unchanged, rejected, withdrawn)
        return counts
    }

    /// Runs a body with the catalog of a database. Returns everything that the catalog then contains, and its index.
    static func dump(
        _ database: ScratchDatabase, _ body: @escaping @Sendable (Catalog) async throws -> Void
    ) async throws -> String {
        let text = Box()
        try await withConnection(database.configuration) { connection in
            let catalog = Catalog(connection: connection)
            try await body(catalog)
            await text.set(try await catalog.dump() + catalog.derived())
        }
        return await text.value
    }

    private actor Box {
        var value = ""
        func set(_ value: String) { self.value = value }
    }
}
