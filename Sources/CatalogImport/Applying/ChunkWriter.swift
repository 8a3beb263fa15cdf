internal import Items
internal import JSON
internal import Postgres
internal import Values

/// Writes a chunk within a transaction that holds the lock. A write that the database rejects is rolled back and
/// becomes a reject. Invalid items are found by bisection.
struct ChunkWriter {
    /// The maximum number of items that the database can reject in one transaction. Each costs a dozen savepoints,
    /// whose locks last until the transaction ends, and the server has room for some thousands of locks. The reader of
    /// the file already catches common issues.
    static let maxRejections = 200

    let session: PostgresSession
    private let isDryRun: Bool
    /// The vocabulary of the catalog, including the records written so far.
    private var vocabulary: Vocabulary
    /// Whether items can use names that the reader of the file considered known but the catalog does not have.
    private var checksVocabulary = false
    /// The serial numbers of a catalog whose keys are deferred, because lookups would be slow. Otherwise nil.
    var numbers: SerialNumbers?
    /// The known lines that are no longer those of their items.
    private var lostLines = LostLines()
    /// The number of records that the database rejected in this transaction.
    private var rejections = 0

    private var isLoading: Bool { numbers != nil }

    init(_ session: PostgresSession, _ vocabulary: Vocabulary, isDryRun: Bool = false) {
        self.isDryRun = isDryRun
        self.session = session
        self.vocabulary = vocabulary
    }

    mutating func beginTransaction() { rejections = 0 }

    /// Writes the chunk. If more than `maxRejects` records are rejected, the rest of the chunk is not tried.
    mutating func write(_ chunk: FileChunk, maxRejects: Int) async throws -> ChunkResult {
        var outcome = ChunkResult()
        outcome.rejects = chunk.rejects
        outcome.counts.rejected = chunk.rejects.count
        let writing = VocabularyWriter(session: session)
        let unchanged = try await writing.unchanged(chunk.storefronts.map(\.record), chunk.categories.map(\.record))
        for (record, line) in chunk.storefronts {
            if unchanged.storefronts.contains(record.key) {
                outcome.count(.unchanged)
                note(.storefront(record), true)
                continue
            }
            let isWritten = try await write(record, line, writing, &outcome)
            note(.storefront(record), isWritten)
        }
        for (record, line) in chunk.categories {
            if unchanged.categories.contains(record.key) {
                outcome.count(.unchanged)
                note(.category(record), true)
                continue
            }
            let isWritten = try await attempt(.category(record), line, &outcome) { outcome in outcome.count(try await writing.write(record))
            }
            note(.category(record), isWritten)
        }
        let lost = try await lostLines.items(in: chunk, session)
        outcome.counts.unchanged += chunk.unchanged.count - lost.count
        let read = lost.isEmpty ? chunk.items : (chunk.items + lost).sorted { $0.line < $1.line }
        let items = checksVocabulary ? read.filter { !rejects(.item($0.record), $0.line, &outcome) } : read
        try await write(items[...], &outcome, maxRejects)
        let charts = chunk.charts.filter { !rejects(.chart($0.record), $0.line, &outcome) }
        try await write(charts, writing, &outcome)
        return outcome
    }

    /// Writes the charts that differ from the catalog.
    private func write(
        _ charts: [(record: ChartRecord, line: Int)], _ writing: VocabularyWriter, _ outcome: inout ChunkResult
    ) async throws {
        let itemsOfCharts = try await writing.items(of: charts.map(\.record), isLoading: isLoading)
        var found: [(record: ChartRecord, items: [UUID])] = []
        var lines: [Int] = []
        for (chart, items) in zip(charts, itemsOfCharts) {
            if let missing = items.firstIndex(of: nil) {
                let pointer = JSONPointer(tokens: ["items", "\(missing)"])
                let reason = "the item \(chart.record.items[missing]) does not exist"
                outcome.reject(Reject(line: chart.line, location: .pointer(pointer.description), code: .unknownReference, reason: reason))
            } else {
                found.append((chart.record, items.compactMap(\.self)))
                lines.append(chart.line)
            }
        }
        let unchanged = try await writing.unchanged(found)
        outcome.counts.unchanged += unchanged.count
        for (index, chart) in found.enumerated() where !unchanged.contains(index) {
            _ = try await attempt(.chart(chart.record), lines[index], &outcome) { outcome in
                outcome.count(try await writing.write(chart.record, chart.items))
            }
        }
    }

    /// Writes a storefront. While keys are deferred, only this check rejects a currency that differs from that of
    /// existing prices.
    private mutating func write(
        _ record: StorefrontRecord, _ line: Int, _ writing: VocabularyWriter, _ outcome: inout ChunkResult
    ) async throws -> Bool {
        if isLoading, let currency = vocabulary.storefronts[record.key], currency != record.currency {
            if try await writing.hasPrices(record) {
                outcome.reject(
                    Reject(line: line, location: .pointer("/currency"), code: .constraintViolation, reason: CatalogRecord.otherCurrency))
                return false
            }
        }
        return try await attempt(.storefront(record), line, &outcome) { outcome in outcome.count(try await writing.write(record)) }
    }

    private mutating func note(_ record: CatalogRecord, _ isWritten: Bool) {
        if isWritten { vocabulary.learn(record) } else { checksVocabulary = true }
    }

    /// Whether the record uses a name that was rejected.
    private func rejects(_ record: CatalogRecord, _ line: Int, _ outcome: inout ChunkResult) -> Bool {
        guard checksVocabulary else { return false }
        let rejects = vocabulary.issues(in: record).map { Reject($0, line: line) }
        if !rejects.isEmpty { outcome.reject(rejects) }
        return !rejects.isEmpty
    }

    private mutating func write(_ items: ArraySlice<PreparedItem>, _ outcome: inout ChunkResult, _ maxRejects: Int) async throws {
        guard let first = items.first, outcome.counts.rejected <= maxRejects, !outcome.isCutShort else { return }
        do {
            let writing = ItemWriter(session: session, isDryRun: isDryRun)
            let known = numbers
            let plan = try await settled(checks: !isLoading) {
                let plan =
                    if let known {
                        ItemPlan.load(Array(items), known)
                    } else {
                        try await ItemPlan.make(of: Array(items), session)
                    }
                try await writing.write(plan)
                return plan
            }
            if isLoading { numbers = plan.numbers }
            outcome.counts += plan.counts
            outcome.rejects += plan.rejects
        } catch let error as PostgresError where error.isAboutData {
            guard items.count > 1 else {
                rejections += 1
                outcome.isCutShort = rejections > Self.maxRejections
                return outcome.reject(Reject(error, of: .item(first.record), line: first.line))
            }
            let middle = items.startIndex + items.count / 2
            try await write(items[..<middle], &outcome, maxRejects)
            try await write(items[middle...], &outcome, maxRejects)
        }
    }

    /// Whether the database accepted the record.
    private func attempt(
        _ record: CatalogRecord, _ line: Int, _ outcome: inout ChunkResult, _ body: (inout ChunkResult) async throws -> Void
    ) async throws -> Bool {
        var attempted = outcome
        do {
            try await settled { try await body(&attempted) }
            outcome = attempted
            return true
        } catch let error as PostgresError where error.isAboutData {
            outcome.reject(Reject(error, of: record, line: line))
            return false
        }
    }

    /// Runs the body in a savepoint and checks all constraints at its end, unless their keys are deferred. Rolls back
    /// if anything fails.
    private func settled<Result>(checks: Bool = true, _ body: () async throws -> Result) async throws -> Result {
        try await session.run(PostgresQuery(ImportStatements.savepoint))
        do {
            let result = try await body()
            let check = checks ? [PostgresQuery(ImportStatements.settle), PostgresQuery(ImportStatements.defer)] : []
            try await session.run(check + [PostgresQuery(ImportStatements.release)])
            return result
        } catch let error as PostgresError where error.isAboutData {
            // A rollback to a savepoint keeps the savepoint, and every later one would be nested in it.
            try await session.run([PostgresQuery(ImportStatements.takeBack), PostgresQuery(ImportStatements.release)])
            throw error
        }
    }
}

/// Writes all items of a plan, or none. It must be called in a transaction that holds the lock.
struct ItemWriter {
    let session: PostgresSession
    let isDryRun: Bool

    func write(_ plan: ItemPlan) async throws {
        try await change(plan.changed)
        let files = ItemFiles(plan)
        for table in ItemTable.allCases where files[table].count > 0 {
            let (file, query) = (files[table], ImportStatements.copy(table))
            let count = try await session.copyIn(query, file.bytes)
            guard count == file.count else { throw PostgresError(.misuse, "\(count) of \(file.count) rows", query: "\(query.name)") }
        }
        guard !isDryRun else { return }
        try await storeLines(of: plan.changed.map(\.item) + plan.unchanged)
        // A rollback does not reset a sequence.
        guard !plan.new.isEmpty else { return }
        try await session.run(PostgresQuery(ImportStatements.advanceSerialNumbers, plan.numbers.highest))
    }

    /// Stores the lines of items that the catalog has.
    private func storeLines(of items: [PreparedItem]) async throws {
        var lines: [Bytes] = []
        var stored: [PreparedItem] = []
        for item in items {
            guard let line = item.storedLine else { continue }
            lines.append(Bytes(line))
            stored.append(item)
        }
        guard !stored.isEmpty else { return }
        try await session.run(
            PostgresQuery(
                ImportStatements.putLines, stored.map(\.kind.rawValue), stored.map(\.source), stored.map { Bytes($0.contentHash) }, lines))
    }

    private func change(_ items: [(item: PreparedItem, id: UUID)]) async throws {
        guard !items.isEmpty else { return }
        let ids = items.map(\.id)
        // The tags are quoted because null is a tag.
        let update = PostgresQuery(
            ImportStatements.changeItems, ids, items.map(\.item.slug), items.map { Bytes($0.item.contentHash) },
            items.map(\.item.rating?.average), items.map(\.item.rating?.count), items.map(\.item.isEverywhere),
            items.map { "{\($0.item.tags.map { "\"\($0)\"" }.joined(separator: ","))}" })
        try await session.run([update] + ImportStatements.clear.map { PostgresQuery($0, ids) })
    }
}
