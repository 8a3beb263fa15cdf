package import Items
internal import JSON
package import Postgres
package import Values

/// The items of the catalog as whoever edits them sees them.
package struct ItemStore {
    private static let listQuery = NamedQuery("items.list")
    private static let namedQuery = NamedQuery("items.named")
    private static let recordsQuery = NamedQuery("items.records")
    private static let findQuery = NamedQuery("items.find")
    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// In the order of their serial numbers, behind one.
    package func items(
        of kind: ItemKind?, withWithdrawn: Bool, after number: Int64, limit: Int
    ) async throws -> [StoredItem.Summary] {
        try await summaries(PostgresQuery(Self.listQuery, number, kind?.rawValue, withWithdrawn, limit))
    }

    /// Those whose slugs begin so, in the order of their slugs, behind one with its kind.
    package func items(
        of kind: ItemKind?, withWithdrawn: Bool, slugsBeginWith beginning: String, after last: (slug: String, kind: String)? = nil,
        limit: Int
    ) async throws -> [StoredItem.Summary] {
        try await summaries(PostgresQuery(Self.namedQuery, beginning, kind?.rawValue, withWithdrawn, last?.slug, last?.kind, limit))
    }

    private func summaries(_ query: PostgresQuery) async throws -> [StoredItem.Summary] {
        let rows = try await session.rows(
            of: query, as: UUID.self, String.self, String.self, String.self, Int64.self, Int64.self, Bool.self, String?.self)
        return rows.map {
            StoredItem.Summary(
                id: $0.0, kind: $0.1, slug: $0.2, source: $0.3, serialNumber: $0.4, version: $0.5, isWithdrawn: $0.6, title: $0.7 ?? "")
        }
    }

    /// What a word means: an id, `topapp:SLUG`, or a slug or a source alone; several where it is not clear. An id goes before all else, and
    /// behind a kind its slug before a source, so that each item can be named.
    package func find(_ word: String) async throws -> [UUID] {
        let id = UUID(word)
        var kind: ItemKind?
        var name = word
        for candidate in ItemKind.allCases {
            let prefix = "\(candidate.rawValue.lowercased()):"
            if word.utf8.starts(with: prefix.utf8) { (kind, name) = (candidate, String(word.dropFirst(prefix.count))) }
        }
        // What the database could not even be asked is no name.
        guard !name.utf8.contains(0) else { return [] }
        let found = try await session.rows(of: PostgresQuery(Self.findQuery, id, kind?.rawValue, name), as: UUID.self)
        return found.first == id || kind != nil ? Array(found.prefix(1)) : found
    }

    /// Those of these ids that there are, in the order of their serial numbers.
    package func items(_ ids: [UUID]) async throws -> [StoredItem] {
        let rows = try await session.rows(
            of: PostgresQuery(Self.recordsQuery, ids), as: Int64.self, Bool.self, String.self, JSONBytes.self)
        return try rows.map { version, isWithdrawn, source, document in
            let item = try Item(version: Int(version), document: document.bytes)
            let record = ItemRecord(
                source: source, id: item.id, serialNumber: Int64(item.serialNumber), slug: item.slug, content: item.content)
            return StoredItem(id: item.id, version: version, isWithdrawn: isWithdrawn, record: record)
        }
    }

    /// Keeps others from writing these items for the rest of the transaction that the caller has opened.
    ///
    /// It waits for those who write the same items and for nobody else, so that an import holds up no edit of what it has not come to.
    package func hold(_ ids: [UUID]) async throws {
        try await session.run([PostgresQuery(ImportStatements.holdItems, ids), PostgresQuery(ImportStatements.editItems)])
    }

    /// Withdraws items and returns how many of them were not withdrawn yet.
    package func withdraw(_ ids: [UUID]) async throws -> Int {
        var count = 0
        try await session.transaction { session in
            try await ItemStore(session).hold(ids)
            count = try await session.run(PostgresQuery(ImportStatements.withdraw, ids)).affectedRows
        }
        // Fewer were derived when the transaction ended.
        if count > 100 { try await session.derive() }
        return count
    }

    /// What became of a change.
    package enum Change: Sendable {
        case changed(StoredItem)
        case unchanged(StoredItem)
        /// Why it could not be written.
        case rejected([Reject])
    }

    /// Writes a record over an item that was read in the same transaction, after `hold`.
    package func write(_ record: ItemRecord, over stored: StoredItem, digest: ([UInt8]) -> [UInt8]) async throws -> Change {
        let vocabulary = try await Importer.vocabulary(session)
        let issues = vocabulary.issues(in: .item(record))
        guard issues.isEmpty else {
            return .rejected(
                issues.map { Reject(line: 1, place: .pointer($0.pointer.description), code: $0.code, reason: $0.reason) })
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
