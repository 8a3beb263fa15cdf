internal import JSON
internal import Postgres

/// What has to be written of a chunk's items, and what cannot be.
struct ItemPlan {
    var new: [PreparedItem] = []
    /// With the ids that the catalog has.
    var changed: [(item: PreparedItem, id: UUID)] = []
    var rejects: [[Reject]] = []
    var unchanged = 0

    /// Asks the catalog what it has of these.
    static func make(of items: [PreparedItem], _ statements: ImportStatements, _ connection: ImportConnection) async throws -> ItemPlan {
        var plan = ItemPlan()
        guard !items.isEmpty else { return plan }
        let query = PostgresQuery(
            statements.plan, items.map(\.record.kind.rawValue), items.map(\.record.source), items.map(\.id),
            items.map { $0.record.id != nil },
            items.map(\.record.serialNumber), items.map(\.slug), items.map { Bytes($0.contentHash) })
        let rows = try await connection.run(query).rows(as: Int.self, UUID?.self, String?.self)
        for (place, id, member) in rows {
            guard items.indices.contains(place - 1) else { continue }
            let item = items[place - 1]
            if let member {
                plan.rejects.append([item.reject(member)])
            } else if let id {
                plan.changed.append((item, id))
            } else {
                plan.new.append(item)
            }
        }
        plan.unchanged = items.count - rows.count
        return plan
    }

    /// Of a catalog that was empty when the import began, and which has no keys now: what a file has twice, its reader has found. Numbers
    /// that were given out are asked for where the file has some of its own.
    static func load(_ items: [PreparedItem], _ statements: ImportStatements, _ connection: ImportConnection) async throws -> ItemPlan {
        var plan = ItemPlan()
        let given = items.compactMap(\.record.serialNumber)
        guard !given.isEmpty else {
            plan.new = items
            return plan
        }
        let numbers: [Int64] = try await connection.run(PostgresQuery(statements.takenSerialNumbers, given)).rows(as: Int64.self)
        let taken = Set(numbers)
        for item in items {
            if let number = item.record.serialNumber, taken.contains(number) {
                plan.rejects.append([item.reject("serialNumber")])
            } else {
                plan.new.append(item)
            }
        }
        return plan
    }

    var counts: ImportCounts {
        var counts = ImportCounts()
        counts.new = new.count
        counts.changed = changed.count
        counts.unchanged = unchanged
        counts.rejected = rejects.count
        return counts
    }
}

extension PreparedItem {
    /// For a value that the item cannot have.
    fileprivate func reject(_ member: String) -> Reject {
        let reason =
            switch member {
            case "id": "another item has this id, or this item another one"
            case "serialNumber": "another item has this serial number, or this item another one"
            default: "another item has this \(member)"
            }
        return Reject(line: line, place: .pointer(JSONPointer(tokens: [member]).description), code: .taken, reason: reason)
    }
}
