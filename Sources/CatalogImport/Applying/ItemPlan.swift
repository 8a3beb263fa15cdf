internal import Items
internal import JSON
internal import Postgres
internal import Values

/// The changes to write for the items of a chunk, and the rejects.
struct ItemPlan {
    /// The new items with their serial numbers.
    private(set) var new: [(item: PreparedItem, number: Int64)] = []
    /// The changed items with their IDs in the catalog.
    private(set) var changed: [(item: PreparedItem, id: UUID)] = []
    private(set) var rejects: [[Reject]] = []
    /// The items that are in the catalog as they are.
    private(set) var unchanged: [PreparedItem] = []
    private(set) var numbers: SerialNumbers

    private init(_ numbers: SerialNumbers) { self.numbers = numbers }

    /// Returns a plan that compares the items with the catalog.
    static func make(of items: [PreparedItem], _ session: PostgresSession) async throws -> ItemPlan {
        let query = PostgresQuery(
            ImportStatements.plan, items.map(\.kind.rawValue), items.map(\.source), items.map(\.id), items.map { $0.names.id != nil },
            items.map(\.serialNumber), items.map(\.slug), items.map { Bytes($0.contentHash) })
        let results = try await session.run([query, PostgresQuery(ImportStatements.lastSerialNumber)])
        let rows = try results[0].rows(as: Int.self, UUID?.self, String?.self)
        var plan = ItemPlan(SerialNumbers(after: try results[1].rows(as: Int64.self).first ?? 0))
        var next = 0
        for (index, id, member) in rows {
            guard items.indices.contains(index - 1) else { continue }
            let item = items[index - 1]
            plan.unchanged += items[next..<index - 1]
            next = index
            if let member {
                plan.rejects.append([item.reject(member)])
            } else if let id {
                plan.changed.append((item, id))
            } else {
                plan.add(item)
            }
        }
        plan.unchanged += items[next...]
        return plan
    }

    /// Returns a plan for a catalog that was empty when the import started and whose keys are deferred. The reader has
    /// already found duplicates in the file, and `numbers` has all serial numbers that were assigned since.
    static func load(_ items: [PreparedItem], _ numbers: SerialNumbers) -> ItemPlan {
        var plan = ItemPlan(numbers)
        for item in items { plan.add(item) }
        return plan
    }

    private mutating func add(_ item: PreparedItem) {
        do throws(SerialNumbers.Conflict) {
            new.append((item, try numbers.number(for: item)))
        } catch {
            let reason = error == .noneLeft ? "no serial number is left after the highest serial number of the catalog" : nil
            rejects.append([item.reject("serialNumber", reason)])
        }
    }

    var counts: ImportCounts {
        var counts = ImportCounts()
        counts.new = new.count
        counts.changed = changed.count
        counts.unchanged = unchanged.count
        counts.rejected = rejects.count
        return counts
    }
}

extension PreparedItem {
    /// Returns a reject for an invalid value of the item.
    fileprivate func reject(_ member: String, _ other: String? = nil) -> Reject {
        let taken =
            switch member {
            case "id": "another item has this ID, or this item has another ID"
            case "serialNumber": "another item has this serial number, or this item has another serial number"
            default: "another item has this \(member)"
            }
        return Reject(
            line: line, location: .pointer(JSONPointer(tokens: [member]).description), code: .alreadyExists, reason: other ?? taken)
    }
}
