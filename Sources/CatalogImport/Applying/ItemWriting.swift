internal import Postgres

/// Writes the items of a plan, all or none; to be called in a transaction that holds the lock.
struct ItemWriting {
    let statements: ImportStatements
    let connection: ImportConnection

    /// Answers with the highest serial number; asks for it where it is not given.
    func write(_ plan: ItemPlan, lastNumber: Int64? = nil) async throws -> Int64? {
        var rows = ItemRows()
        try await change(plan.changed)
        for (item, id) in plan.changed { rows.appendParts(of: item, id: id) }
        let highest = try await number(plan.new, behind: lastNumber) { rows.append($0, serialNumber: $1) }
        for (query, table) in [
            (statements.copyItems, rows.items), (statements.copyTopApps, rows.topApps), (statements.copyFoodApps, rows.foodApps),
            (statements.copyTexts, rows.texts), (statements.copyCategories, rows.categories),
            (statements.copyAvailability, rows.availability), (statements.copyPrices, rows.prices),
        ] where table.rows > 0 {
            let count = try await connection.copy(query, table.bytes)
            guard count == table.rows else { throw PostgresError(.misuse, "\(count) of \(table.rows) rows", query: "\(query.name)") }
        }
        return highest
    }

    private func change(_ items: [(item: PreparedItem, id: UUID)]) async throws {
        guard !items.isEmpty else { return }
        let ids = items.map(\.id)
        let records = items.map(\.item.record)
        let update = PostgresQuery(
            statements.changeItems, ids, items.map(\.item.slug), items.map { Bytes($0.item.contentHash) }, records.map(\.rating?.average),
            records.map(\.rating?.count), records.map { $0.availability == nil }, records.map(\.image?.url), records.map(\.image?.width),
            records.map(\.image?.height), records.map(\.image?.color), records.map(\.image?.blurhash))
        try await connection.run([update] + statements.clear.map { PostgresQuery($0, ids) })
    }

    /// Numbers go on behind the highest, without gaps, so that an import that was interrupted gives the same ones as one that was not.
    private func number(
        _ items: [PreparedItem], behind known: Int64?, _ body: (PreparedItem, Int64) -> Void
    ) async throws -> Int64? {
        guard !items.isEmpty else { return known }
        let found = known == nil ? try await connection.run(PostgresQuery(statements.lastSerialNumber)).rows(as: Int64.self).first : nil
        let last = known ?? found ?? 0
        let given = Set(items.compactMap(\.record.serialNumber))
        var highest = last
        var next = last
        for item in items {
            if let number = item.record.serialNumber {
                highest = max(highest, number)
                body(item, number)
            } else {
                // The number behind the last one there is.
                repeat { next = try next.successor } while given.contains(next)
                highest = max(highest, next)
                body(item, next)
            }
        }
        try await connection.run(PostgresQuery(statements.advanceSerialNumbers, highest))
        return highest
    }
}

extension Int64 {
    fileprivate var successor: Int64 {
        get throws(PostgresError) {
            let (next, overflow) = addingReportingOverflow(1)
            guard !overflow else { throw PostgresError(.misuse, "there is no serial number left") }
            return next
        }
    }
}
