internal import Postgres
internal import Values

/// Writes the items of a plan, all or none; to be called in a transaction that holds the lock.
struct ItemWriter {
    let session: PostgresSession
    let isDryRun: Bool

    func write(_ plan: ItemPlan) async throws {
        var rows = ItemRows()
        try await change(plan.changed)
        for (item, id) in plan.changed { rows.appendParts(of: item, id: id) }
        for (item, number) in plan.new { rows.append(item, serialNumber: number) }
        for (query, table) in [
            (ImportStatements.copyItems, rows.items), (ImportStatements.copyTopApps, rows.topApps),
            (ImportStatements.copyFoodApps, rows.foodApps),
            (ImportStatements.copyTexts, rows.texts), (ImportStatements.copyCategories, rows.categories),
            (ImportStatements.copyAvailability, rows.availability), (ImportStatements.copyPrices, rows.prices),
        ] where table.rows > 0 {
            let count = try await session.copyIn(query, table.bytes)
            guard count == table.rows else { throw PostgresError(.misuse, "\(count) of \(table.rows) rows", query: "\(query.name)") }
        }
        // No transaction takes a sequence back.
        guard !plan.new.isEmpty, !isDryRun else { return }
        try await session.run(PostgresQuery(ImportStatements.advanceSerialNumbers, plan.numbers.highest))
    }

    private func change(_ items: [(item: PreparedItem, id: UUID)]) async throws {
        guard !items.isEmpty else { return }
        let ids = items.map(\.id)
        let records = items.map(\.item.record)
        let update = PostgresQuery(
            ImportStatements.changeItems, ids, items.map(\.item.slug), items.map { Bytes($0.item.contentHash) },
            records.map(\.rating?.average),
            records.map(\.rating?.count), records.map { $0.availability == nil }, records.map(\.image?.url), records.map(\.image?.width),
            records.map(\.image?.height), records.map(\.image?.color), records.map(\.image?.blurhash))
        try await session.run([update] + ImportStatements.clear.map { PostgresQuery($0, ids) })
    }
}
