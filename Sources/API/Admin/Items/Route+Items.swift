internal import Access
internal import Catalog
internal import CatalogImport
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Security
internal import Values

extension Route {
    static func items(_ service: AdminService) -> [Route] {
        [
            admin(.get, "/admin/v1/items", .read, service) { request in try await request.items() },
            admin(.get, "/admin/v1/items/{id}", .read, service) { request in
                try QueryParameters(request.context.head.target.query, known: []).finish()
                let name = try request.itemName()
                return try await request.reading { transaction in
                    let store = transaction.items
                    return AdminResponse(try AdminItem(try await store.item(try await store.id(of: name))).state).response
                }
            },
            admin(.put, "/admin/v1/items/{id}", .publish, bodyLimit: .bytes(1 << 20), service) { request in try await request.setItem() },
            admin(.post, "/admin/v1/items/{id}:withdraw", .publish, service) { request in
                try await request.changeItem(.withdrawItem) { store, stored in
                    if stored.isWithdrawn { return stored }
                    _ = try await store.withdraw([stored.id])
                    return try await store.item(stored.id)
                }
            },
            admin(.post, "/admin/v1/items/{id}:restore", .publish, service) { request in
                try await request.changeItem(.restoreItem) { store, stored in
                    if !stored.isWithdrawn { return stored }
                    return try await store.write(stored.record, over: stored)
                }
            },
        ]
    }
}

extension AdminRequest {
    fileprivate func itemName() throws(Problem) -> String { try context.parameters.value("id") { $0.isEmpty ? nil : $0 } }

    fileprivate func items() async throws -> Response {
        var parameters = QueryParameters(
            context.head.target.query, known: ["kind", "includeWithdrawn", "slugPrefix", "facts", "cursor", "limit"])
        let kind: ItemKind? = parameters.choice("kind")
        let withWithdrawn = parameters.bool("includeWithdrawn") ?? false
        let start = parameters.slug("slugPrefix")
        let hasFacts = parameters.bool("facts") ?? false
        let limit = parameters.integer("limit", in: 1...200, clamps: true) ?? 50
        let cursor = parameters["cursor"]
        try parameters.finish()
        return try await reading { transaction in
            let store = transaction.items
            let signer = try await service.catalog.signer(transaction.catalog)
            let list = ["items", kind?.rawValue ?? "", "\(withWithdrawn)", start ?? ""].joined(separator: "\n")
            let items: [StoredItem.Summary]
            let position: (StoredItem.Summary) -> [String]
            if let start {
                let after = try cursor.map { text throws(Problem) in try signer.read(text, of: list, in: context) } ?? []
                items = try await store.items(
                    of: kind, withWithdrawn: withWithdrawn, slugsBeginWith: start,
                    after: after.count == 2 ? (after[0], after[1]) : nil,
                    limit: limit + 1)
                position = { [$0.slug, $0.kind] }
            } else {
                let number = try cursor.map { text throws(Problem) in try signer.number(text, of: list, in: context) } ?? 0
                items = try await store.items(of: kind, withWithdrawn: withWithdrawn, after: Int64(number), limit: limit + 1)
                position = { ["\($0.serialNumber)"] }
            }
            var listed = Array(items.prefix(limit))
            if hasFacts { try await store.addFacts(to: &listed) }
            let page = AdminListPage(
                "items", listed,
                next: items.count > limit ? signer.cursor(at: position(items[limit - 1]), in: list) : nil, of: context)
            return try page.response
        }
    }

    /// Saves a whole item in place of the existing one, and restores it if it is withdrawn.
    fileprivate func setItem() async throws -> Response {
        try await changeItem(.setItem) { store, stored in
            let text: JSONNode
            let record: CatalogRecord
            do throws(JSONError) {
                record = try CatalogRecord(parsing: context.request.body, limits: .catalogRecord)
                text = try JSONDocument(parsing: context.request.body, limits: .catalogRecord).root
            } catch {
                throw Problem(error)
            }
            guard case .item(var item) = record, item.kind == stored.record.kind,
                item.source.utf8.elementsEqual(stored.record.source.utf8)
            else { throw Problem.itemMismatch }
            item.id = item.id ?? stored.id
            item.serialNumber = item.serialNumber ?? stored.record.serialNumber
            item.slug = item.slug ?? stored.record.slug
            return try await store.write(item, from: text, over: stored)
        }
    }

    /// Changes an item under a lock that excludes all other writers, including imports.
    fileprivate func changeItem(
        _ action: AuditedChange.Action, _ body: @escaping @Sendable (ItemStore, StoredItem) async throws -> StoredItem
    ) async throws -> Response {
        try QueryParameters(context.head.target.query, known: []).finish()
        let name = try itemName()
        let condition = try EditPrecondition(of: self)
        return try await changing { transaction in
            let store = transaction.items
            let id = try await store.id(of: name)
            try await store.hold([id])
            let stored = try await store.item(id)
            let before = try AdminItem(stored).state
            try condition.check(before)
            let after = try AdminItem(try await body(store, stored)).state
            guard after.document != before.document else { return AdminResponse(before) }
            try await transaction.record(AuditedChange(action, of: "items/\(stored.id)", from: before.document, to: after.document))
            return AdminResponse(after)
        }
    }
}

extension ItemStore {
    fileprivate func id(of name: String) async throws -> UUID {
        let found = try await find(name)
        guard let id = found.first else { throw Problem.unknownItem }
        guard found.count == 1 else { throw try await Problem.ambiguous(among: items(found)) }
        return id
    }

    fileprivate func item(_ id: UUID) async throws -> StoredItem {
        guard let item = try await items([id]).first else { throw Problem.unknownItem }
        return item
    }

    fileprivate func write(_ record: ItemRecord, from text: JSONNode? = nil, over stored: StoredItem) async throws -> StoredItem {
        switch try await write(record, from: text, over: stored, digest: Digest.sha256) {
        case .changed(let item), .unchanged(let item): return item
        case .rejected(let rejects): throw Problem(rejects)
        }
    }
}

extension Problem {
    fileprivate static var unknownItem: Problem {
        Problem(
            .notFound, code: "unknownItem", detail: "The item does not exist. Use a slug or an ID from the list of items.",
            see: "/admin/v1/items")
    }

    fileprivate static func ambiguous(among items: [StoredItem]) throws(JSONError) -> Problem {
        var problem = Problem(
            .conflict, code: "ambiguousItem",
            detail: "The slug or source matches several items. Use the kind and the slug, such as topapp:harbor-notes, or the ID.")
        problem.members = [Problem.Extension(name: "candidates", json: try items.map(\.candidate).json())]
        return problem
    }

    fileprivate static var itemMismatch: Problem {
        var problem = Problem(
            .unprocessableContent, code: "itemMismatch",
            detail: "The kind and the source of an item cannot change. Save the item with its current kind and source.")
        problem.issues = [FieldError(pointer: "/source", message: "expected the kind and the source of the item in the path")]
        return problem
    }

    fileprivate init(_ rejects: [Reject]) {
        self.init(
            .unprocessableContent, code: "invalidItem",
            detail: "The item violates constraints of the catalog. Correct the listed fields, then save the item again.")
        issues = rejects.map(FieldError.init)
    }
}

struct AdminItem: JSONObjectEncodable {
    let item: StoredItem

    init(_ item: StoredItem) { self.item = item }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("id", item.id.description)
        json.member("version", item.version)
        json.member("withdrawn", item.isWithdrawn)
        json.member("record", item)
    }

    var state: TaggedResource {
        get throws(JSONError) { try TaggedResource(self) }
    }
}
