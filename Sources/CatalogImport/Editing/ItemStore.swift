internal import Catalog
package import Items
package import JSON
package import Postgres
package import Values

/// The items of the catalog in the form in which curators edit them.
package struct ItemStore {
    private static let listQuery = NamedQuery("items.list")
    private static let namedQuery = NamedQuery("items.named")
    private static let factsQuery = NamedQuery("items.facts")
    private static let recordsQuery = NamedQuery("items.records")
    private static let findQuery = NamedQuery("items.find")
    /// The locales in which curators see titles.
    private static let titleLocales = LocaleTag.english.fallbacks.map(\.text)
    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// Returns items in the order of their serial numbers, after one.
    package func items(
        of kind: ItemKind?, withWithdrawn: Bool, after number: Int64, limit: Int
    ) async throws -> [StoredItem.Summary] {
        try await summaries(PostgresQuery(Self.listQuery, number, kind?.rawValue, withWithdrawn, limit, Self.titleLocales))
    }

    /// Returns the items whose slugs start with the prefix, sorted by slug, after a slug and its kind.
    package func items(
        of kind: ItemKind?, withWithdrawn: Bool, slugsBeginWith start: String, after last: (slug: String, kind: String)? = nil,
        limit: Int
    ) async throws -> [StoredItem.Summary] {
        try await summaries(
            PostgresQuery(Self.namedQuery, start, kind?.rawValue, withWithdrawn, last?.slug, last?.kind, limit, Self.titleLocales))
    }

    private func summaries(_ query: PostgresQuery) async throws -> [StoredItem.Summary] {
        let rows = try await session.rows(
            of: query, as: UUID.self, String.self, String.self, String.self, Int64.self, Int64.self, Bool.self, String?.self)
        return rows.map {
            StoredItem.Summary(
                id: $0.0, kind: $0.1, slug: $0.2, source: $0.3, serialNumber: $0.4, version: $0.5, isWithdrawn: $0.6, title: $0.7 ?? "")
        }
    }

    /// Adds the facts that rules compare, with the prices in effect, to items of a list.
    package func addFacts(to items: inout [StoredItem.Summary]) async throws {
        let query = PostgresQuery(Self.factsQuery, items.map(\.id))
        var facts: [UUID: StoredItem.Facts] = [:]
        for (id, json) in try await session.rows(of: query, as: UUID.self, JSONBytes.self) {
            facts[id] = try json.decoded(query: query.name)
        }
        for index in items.indices { items[index].facts = facts[items[index].id] ?? StoredItem.Facts() }
    }

    /// Returns the items that a reference matches: an ID, `topapp:SLUG`, a slug or a source. Returns several if the
    /// reference is ambiguous. An ID has precedence. With a kind, a slug has precedence over a source, so that each
    /// item has an unambiguous reference.
    package func find(_ word: String) async throws -> [UUID] {
        let id = UUID(word)
        var kind: ItemKind?
        var name = word
        for candidate in ItemKind.allCases {
            let prefix = "\(candidate.rawValue.lowercased()):"
            if word.utf8.starts(with: prefix.utf8) { (kind, name) = (candidate, String(word.dropFirst(prefix.count))) }
        }
        // A text that PostgreSQL cannot store matches no item.
        guard !name.utf8.contains(0) else { return [] }
        let found = try await session.rows(of: PostgresQuery(Self.findQuery, id, kind?.rawValue, name), as: UUID.self)
        return found.first == id || kind != nil ? Array(found.prefix(1)) : found
    }

    /// Returns the existing items of these IDs, in the order of their serial numbers.
    package func items(_ ids: [UUID]) async throws -> [StoredItem] {
        let rows = try await session.rows(
            of: PostgresQuery(Self.recordsQuery, ids), as: Int64.self, Bool.self, String.self, JSONBytes.self)
        return try rows.map { version, isWithdrawn, source, document in
            let item = try ItemDocument(document.bytes)
            let record = ItemRecord(
                source: source, id: item.id, serialNumber: Int64(item.serialNumber), slug: item.slug, content: item.content)
            return StoredItem(id: item.id, version: version, isWithdrawn: isWithdrawn, record: record)
        }
    }

    /// Locks these items for the rest of the transaction that the caller has started.
    ///
    /// It waits only for transactions that write the same items, so that an import does not block edits of items that
    /// it has not reached.
    package func hold(_ ids: [UUID]) async throws {
        try await session.run([PostgresQuery(ImportStatements.holdItems, ids), PostgresQuery(ImportStatements.editItems)])
    }

    /// Withdraws items. Returns the number of items that were not yet withdrawn.
    package func withdraw(_ ids: [UUID]) async throws -> Int {
        var count = 0
        try await session.transaction { session in
            try await ItemStore(session).hold(ids)
            count = try await session.run(PostgresQuery(ImportStatements.withdraw, ids)).affectedRows
        }
        // Fewer items are indexed when the transaction ends.
        if count > 100 { try await session.derive() }
        return count
    }

    /// The result of a change.
    package enum Change: Sendable {
        case changed(StoredItem)
        case unchanged(StoredItem)
        /// The record is invalid, for these reasons.
        case rejected([Reject])
    }

    /// Replaces an item that was read in the same transaction after `hold`. `text` is the record as it was written, if it is not
    /// in the form of this program. The pointers of rejects lead into it.
    package func write(
        _ record: ItemRecord, from text: JSONNode? = nil, over stored: StoredItem, digest: ([UInt8]) -> [UInt8]
    ) async throws -> Change {
        var vocabulary = try await Importer.vocabulary(session)
        if let zone = record.content.timeZone, zone != stored.record.content.timeZone {
            vocabulary.timeZones = try await Importer.timeZones(session)
        }
        let issues = vocabulary.issues(in: .item(record))
        guard issues.isEmpty else {
            let text = try text ?? JSONDocument(parsing: record.json(), limits: .ownOutput).root
            return .rejected(issues.map { Reject($0, in: text, line: 1) })
        }
        var chunk = FileChunk()
        chunk.items = [PreparedItem(record, line: 1, digest: digest)]
        var writing = ChunkWriter(session, vocabulary)
        let outcome = try await writing.write(chunk, maxRejects: 1)
        guard outcome.rejects.isEmpty else { return .rejected(outcome.rejects.flatMap(\.self)) }
        guard outcome.counts.unchanged == 0, let item = try await items([stored.id]).first else { return .unchanged(stored) }
        return .changed(item)
    }
}

extension ItemContent {
    /// The time zone of a FoodApp, or nil if the item has none.
    fileprivate var timeZone: String? {
        switch details {
        case .topApp: nil
        case .foodApp(let app): app.timeZone
        }
    }
}
