internal import Items
package import Postgres
internal import Values

/// Applies a catalog file to the catalog, chunk by chunk.
///
/// Importers take turns for each chunk, so that two imports of one file end like a single one. An import that was
/// killed can be run again, and finds its earlier changes up to date.
package struct Importer {
    /// The retry policy for a chunk that deadlocks with another transaction.
    private static let retry = RetryPolicy(attempts: 5, pause: .milliseconds(100))

    let session: PostgresSession
    let options: ImportOptions
    /// The vocabulary of the catalog.
    let vocabulary: Vocabulary
    let notify: (ImportEvent) throws -> Void
    /// The function that records the progress in the transaction of each chunk.
    let note: Note?
    /// The waits before chunks that have their own transactions; nil if the import never waits for publication.
    private let wait: PublishingWait?

    package typealias Note = (_ counts: ImportCounts, _ bytesRead: Int) async throws -> Void

    package init(
        _ session: PostgresSession, _ options: ImportOptions, vocabulary: Vocabulary,
        wait: PublishingWait? = nil, notify: @escaping (ImportEvent) throws -> Void, note: Note? = nil
    ) {
        self.session = session
        self.options = options
        self.vocabulary = vocabulary
        self.note = note
        self.wait = wait
        self.notify = notify
    }

    /// Returns the names that the items of a file can use before the file defines any.
    package static func vocabulary(_ session: PostgresSession) async throws -> Vocabulary {
        let results = try await session.run([
            PostgresQuery(ImportStatements.categories), PostgresQuery(ImportStatements.storefronts),
            PostgresQuery(ImportStatements.platforms), PostgresQuery(ImportStatements.ratingLabels),
        ])
        var vocabulary = Vocabulary()
        for (key, kind) in try results[0].rows(as: String.self, String?.self) {
            vocabulary.categories[key] = .some(kind.flatMap { ItemKind(rawValue: $0) })
        }
        vocabulary.platforms = try results[2].rows(as: String.self)
        vocabulary.ratingLabels = [:]
        for (scheme, label) in try results[3].rows(as: String.self, String.self) {
            vocabulary.ratingLabels?[scheme, default: []].append(label)
        }
        for (key, currency) in try results[1].rows(as: String.self, String.self) { vocabulary.storefronts[key] = currency }
        return vocabulary
    }

    /// Returns the time zones that the server knows. The query takes a tenth of a second.
    package static func timeZones(_ session: PostgresSession) async throws -> Set<String> {
        let names: [String] = try await session.rows(of: PostgresQuery(ImportStatements.timeZones), as: String.self)
        return Set(names)
    }

    /// Writes chunks until `next` returns nil.
    package func run(_ next: () async throws -> FileChunk?) async throws -> ImportReport {
        var report = ImportReport()
        guard let first = try await next() else { return report }
        if !options.isDryRun { try await session.run(PostgresQuery(ImportStatements.forgetLostLines)) }
        var writing = ChunkWriter(session, vocabulary, isDryRun: options.isDryRun)
        if options.isDryRun {
            do {
                try await session.transaction { _ in
                    try await waitForTurn()
                    try await write(first, andAll: true, next, &writing, &report)
                    throw DryRunRollback()
                }
            } catch is DryRunRollback {}
            return report
        }
        var wait = wait
        func writeNext(_ chunk: FileChunk) async throws {
            try await wait?.run(session) { try notify(.waiting(changes: $0, pause: $1)) }
            try await session.run(PostgresQuery(ImportStatements.deriveEdits))
            try await writeAlone(chunk, &writing, &report)
        }
        let closes = options.closesEmptyCatalog && first.ending == nil ? try await Self.mayLoad(session) : false
        if closes || options.isAtomic {
            try await writeTogether(first, next, closing: closes, &writing, &report)
        } else {
            // A small import does not wait for others.
            try await writeAlone(first, &writing, &report)
        }
        while let chunk = try await next() { try await writeNext(chunk) }
        return report
    }

    /// Writes the first chunk. The other chunks share its transaction if the import is atomic, or if the catalog is
    /// empty and can be locked.
    private func writeTogether(
        _ first: FileChunk, _ next: () async throws -> FileChunk?, closing closes: Bool, _ writing: inout ChunkWriter,
        _ report: inout ImportReport
    ) async throws {
        try await session.transaction { _ in
            try await waitForTurn()
            let loads = closes ? try await closeEmptyCatalog() : false
            if loads { try await session.run(PostgresQuery(ImportStatements.putKeysOff)) }
            if loads { writing.numbers = SerialNumbers(after: 0) }
            try await write(first, andAll: loads || options.isAtomic, next, &writing, &report)
            if loads {
                try notify(.phase(.makingKeys))
                try await session.run(PostgresQuery(ImportStatements.makeKeys))
                try notify(.phase(.settling))
                try await session.run([PostgresQuery(ImportStatements.notifyAll), PostgresQuery(ImportStatements.settle)])
            }
        }
        try notify(.kept(report.counts))
    }

    /// Writes one chunk in its own transaction, and again after a deadlock. The result depends only on the chunk.
    private func writeAlone(_ chunk: FileChunk, _ writing: inout ChunkWriter, _ report: inout ImportReport) async throws {
        let before = (writing, report)
        var outcome: ChunkResult?
        do {
            try await session.transaction(TransactionOptions(retry: Self.retry)) { _ in
                (writing, report) = before
                try await waitForTurn()
                writing.beginTransaction()
                outcome = try await work(on: chunk, &writing, &report)
                try await note?(report.counts, chunk.bytesRead)
            }
        } catch let stop as Stop {
            throw try stopped(stop, at: chunk, keeping: before.1.counts, report)
        }
        try notify(.written(report.counts, chunk, rejects: outcome?.rejects ?? []))
        try notify(.kept(report.counts))
    }

    /// Indexes the items of large transactions, in one transaction for each part. Calls `notify` with the number of
    /// items.
    ///
    /// If it ends early, the rest stays in the queue for a server or the next import.
    package func derive(_ notify: (_ items: Int) throws -> Void = { _ in }) async throws {
        let total = try await session.derive(notify)
        // PostgreSQL's autovacuum analyzes fewer changes in time.
        if total >= 10_000 { try await session.run(PostgresQuery(ImportStatements.analyze)) }
    }

    private func waitForTurn() async throws {
        try await session.run([PostgresQuery(ImportStatements.lock), PostgresQuery(ImportStatements.queue)])
    }

    /// Whether the catalog is empty. If it is, it stays locked until the transaction ends.
    ///
    /// The check runs again after the lock is acquired, because another session can have written an item while this one
    /// waited.
    private func closeEmptyCatalog() async throws -> Bool {
        try await session.run([PostgresQuery(ImportStatements.savepoint), PostgresQuery(ImportStatements.closeCatalog)])
        let isEmpty = try await Self.mayLoad(session)
        // The rollback unlocks the catalog.
        try await session.run((isEmpty ? [] : [PostgresQuery(ImportStatements.takeBack)]) + [PostgresQuery(ImportStatements.release)])
        return isEmpty
    }

    /// Whether the catalog is empty, so that an import can load its file. Another session can still write an item.
    package static func mayLoad(_ session: PostgresSession) async throws -> Bool {
        try await session.rows(of: PostgresQuery(ImportStatements.mayLoad), as: Bool.self).first ?? false
    }

    /// Writes one chunk, and the others if they share its transaction. The caller has started the transaction.
    private func write(
        _ first: FileChunk, andAll: Bool, _ next: () async throws -> FileChunk?, _ writing: inout ChunkWriter, _ report: inout ImportReport
    ) async throws {
        let before = report.counts
        var chunk: FileChunk? = first
        while let current = chunk {
            do {
                let outcome = try await work(on: current, &writing, &report)
                try await note?(report.counts, current.bytesRead)
                try notify(.written(report.counts, current, rejects: outcome.rejects))
            } catch let stop as Stop {
                throw try stopped(stop, at: current, keeping: before, report)
            }
            chunk = andAll ? try await next() : nil
        }
    }

    /// Reports a chunk that is not written.
    private func stopped(_ stop: Stop, at chunk: FileChunk, keeping counts: ImportCounts, _ report: ImportReport) throws -> ImportFailure {
        var stored = counts
        stored.rejected = report.counts.rejected + stop.rejects.count
        try notify(.written(stored, chunk, rejects: stop.rejects))
        return stop.failure(stored)
    }

    private struct DryRunRollback: Error {}

    /// The error that stops an import at a chunk that is not written, with the rejects of the chunk.
    private struct Stop: Error {
        let rejects: [[Reject]]
        let failure: @Sendable (_ kept: ImportCounts) -> ImportFailure
    }

    /// Writes one chunk. After the last one, withdraws the items that the file does not have.
    private func work(
        on chunk: FileChunk, _ writing: inout ChunkWriter, _ report: inout ImportReport
    ) async throws -> ChunkResult {
        let allowed = options.maxRejects - report.counts.rejected
        guard !chunk.isTooLong else { throw Stop(rejects: chunk.rejects) { .tooManyRecords($0) } }
        guard !chunk.isUnreadable else { throw Stop(rejects: chunk.rejects) { .unreadableFile($0) } }
        guard chunk.rejects.count <= allowed else { throw Stop(rejects: chunk.rejects) { .tooManyRejects($0) } }
        var outcome = try await writing.write(chunk, maxRejects: allowed)
        outcome.rejects.sort { ($0.first?.line ?? 0) < ($1.first?.line ?? 0) }
        // A chunk that exceeds the maximum number of rejects is not written at all.
        guard outcome.counts.rejected <= allowed else { throw Stop(rejects: outcome.rejects) { .tooManyRejects($0) } }
        guard !outcome.isCutShort else { throw Stop(rejects: outcome.rejects) { .tooManyConstraintFailures($0) } }
        report.counts += outcome.counts
        // A catalog that was empty has no other items.
        if let ending = chunk.ending, options.prunes, writing.numbers == nil { try await prune(ending, &report) }
        return outcome
    }

    /// Withdraws the items of the file's kinds that are in the catalog but not in the file.
    private func prune(_ ending: FileSummary, _ report: inout ImportReport) async throws {
        guard report.counts.rejected == 0 else {
            report.pruneSkipped = .rejects
            return
        }
        var (missing, activeCount) = (0, 0)
        try await eachPage(of: ending) { ids, count in
            missing += ids.count
            activeCount += count
        }
        guard missing * 100 <= activeCount * options.maxWithdrawnPercent else {
            report.pruneSkipped = .tooMany(missing: missing, activeCount: activeCount)
            return
        }
        guard missing > 0 else { return }
        try await eachPage(of: ending) { ids, _ in
            report.counts.withdrawn += try await session.run(PostgresQuery(ImportStatements.withdraw, ids)).affectedRows
        }
    }

    /// Reads the items of the file's kinds in pages. Passes the IDs that the file does not have and the number of all
    /// items to the body.
    private func eachPage(of ending: FileSummary, _ body: (_ missing: [UUID], _ activeCount: Int) async throws -> Void) async throws {
        let kinds = ending.kinds.map(\.rawValue)
        var last = UUID(high: 0, low: 0)
        while true {
            let rows = try await session.rows(
                of: PostgresQuery(ImportStatements.activeItems, last, kinds), as: UUID.self, String.self, String.self)
            guard let end = rows.last?.0 else { return }
            last = end
            let missing = rows.filter { row in ItemKind(rawValue: row.1).map { !ending.has($0, source: row.2) } ?? false }
            try await body(missing.map(\.0), rows.count)
        }
    }
}

extension PostgresSession {
    /// Indexes the queue, in one transaction for each part. Returns the number of items, and calls `notify` after each
    /// part.
    @discardableResult
    func derive(_ notify: (_ items: Int) throws -> Void = { _ in }) async throws -> Int {
        var total = 0
        while let items = try await rows(of: PostgresQuery(ImportStatements.derive), as: Int.self).first, items > 0 {
            total += items
            try notify(total)
        }
        return total
    }
}
