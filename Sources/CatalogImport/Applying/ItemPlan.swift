internal import Catalog
internal import JSON
internal import Postgres

/// What has to be written of a chunk's items, and what cannot be.
struct ItemPlan {
    /// With their serial numbers.
    private(set) var new: [(item: PreparedItem, number: Int64)] = []
    /// With the ids that the catalog has.
    private(set) var changed: [(item: PreparedItem, id: UUID)] = []
    private(set) var rejects: [[Reject]] = []
    private var unchanged = 0
    private(set) var numbers: SerialNumbers

    private init(behind number: Int64) { numbers = SerialNumbers(behind: number) }

    /// Asks the catalog what it has of these.
    static func make(of items: [PreparedItem], _ statements: ImportStatements, _ connection: ImportConnection) async throws -> ItemPlan {
        let query = PostgresQuery(
            statements.plan, items.map(\.record.kind.rawValue), items.map(\.record.source), items.map(\.id),
            items.map { $0.record.id != nil },
            items.map(\.record.serialNumber), items.map(\.slug), items.map { Bytes($0.contentHash) })
        let results = try await connection.run([query, PostgresQuery(statements.lastSerialNumber)])
        let rows = try results[0].rows(as: Int.self, UUID?.self, String?.self)
        var plan = ItemPlan(behind: try results[1].rows(as: Int64.self).first ?? 0)
        for (place, id, member) in rows {
            guard items.indices.contains(place - 1) else { continue }
            let item = items[place - 1]
            if let member {
                plan.rejects.append([item.reject(member)])
            } else if let id {
                plan.changed.append((item, id))
            } else {
                try plan.add(item)
            }
        }
        plan.unchanged = items.count - rows.count
        return plan
    }

    /// Of a catalog that was empty when the import began, and which has no keys now: what a file has twice, its reader has found. Numbers
    /// that were given out are asked for where the file has some of its own.
    static func load(
        _ items: [PreparedItem], behind number: Int64, _ statements: ImportStatements, _ connection: ImportConnection
    ) async throws -> ItemPlan {
        var plan = ItemPlan(behind: number)
        let given = items.compactMap(\.record.serialNumber)
        var taken: [Int64] = []
        if !given.isEmpty {
            taken = try await connection.run(PostgresQuery(statements.takenSerialNumbers, given)).rows(as: Int64.self)
        }
        let isTaken = Set(taken)
        for item in items {
            if let number = item.record.serialNumber, isTaken.contains(number) {
                plan.rejects.append([item.reject("serialNumber")])
            } else {
                try plan.add(item)
            }
        }
        return plan
    }

    private mutating func add(_ item: PreparedItem) throws {
        if let number = try numbers.number(for: item.record) {
            new.append((item, number))
        } else {
            rejects.append([item.reject("serialNumber")])
        }
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
