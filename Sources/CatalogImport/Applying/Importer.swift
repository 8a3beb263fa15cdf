internal import Items
package import Postgres
internal import Values

/// Brings a catalog to what a file says, chunk by chunk.
///
/// Importers take turns by the chunk, so that two of one file end as one would. One that was killed is run again: what it had written is found
/// to be as it should be.
package struct Importer {
    /// For a chunk that meets another transaction in a deadlock.
    private static let retry = RetryPolicy(attempts: 5, pause: .milliseconds(100))

    let session: PostgresSession
    let options: ImportOptions
    /// As the catalog has them.
    let vocabulary: Vocabulary
    let notify: (ImportEvent) throws -> Void
    /// Writes down how far it is, in the transaction of each chunk.
    let note: Note?

    package typealias Note = (_ counts: ImportCounts, _ bytesRead: Int) async throws -> Void

    package init(
        _ session: PostgresSession, _ options: ImportOptions, vocabulary: Vocabulary,
        notify: @escaping (ImportEvent) throws -> Void, note: Note? = nil
    ) {
        self.session = session
        self.options = options
        self.vocabulary = vocabulary
        self.note = note
        self.notify = notify
    }

    /// What the items of a file may refer to before it has told anything itself.
    package static func vocabulary(_ session: PostgresSession) async throws -> Vocabulary {
        let results = try await session.run([PostgresQuery(ImportStatements.categories), PostgresQuery(ImportStatements.storefronts)])
        var vocabulary = Vocabulary()
        for (key, kind) in try results[0].rows(as: String.self, String?.self) {
            vocabulary.categories[key] = .some(kind.flatMap { ItemKind(rawValue: $0) })
        }
        for (key, currency) in try results[1].rows(as: String.self, String.self) { vocabulary.storefronts[key] = currency }
        return vocabulary
    }

    /// The names of those that the server knows, which takes it a tenth of a second.
    package static func timeZones(_ session: PostgresSession) async throws -> Set<String> {
        let names: [String] = try await session.rows(of: PostgresQuery(ImportStatements.timeZones), as: String.self)
        return Set(names)
    }

    /// Takes chunks until there are no more.
    package func run(_ next: () async throws -> FileChunk?) async throws -> ImportReport {
        var report = ImportReport()
        guard let first = try await next() else { return report }
        var writing = ChunkWriter(session, vocabulary, isDryRun: options.isDryRun)
        if options.isDryRun {
            do {
                try await session.transaction { _ in
                    try await takeTurn()
                    try await write(first, andAll: true, next, &writing, &report)
                    throw DryRunRollback()
                }
            } catch is DryRunRollback {}
            return report
        }
        let closes = options.closesEmptyCatalog && first.ending == nil ? try await mayLoad() : false
        if closes || options.isAtomic {
            try await writeTogether(first, next, closing: closes, &writing, &report)
        } else {
            try await writeAlone(first, &writing, &report)
        }
        while let chunk = try await next() { try await writeAlone(chunk, &writing, &report) }
        return report
    }

    /// The first chunk, in one transaction with all others if that was asked for or the catalog is empty and this may close it.
    private func writeTogether(
        _ first: FileChunk, _ next: () async throws -> FileChunk?, closing closes: Bool, _ writing: inout ChunkWriter,
        _ report: inout ImportReport
    ) async throws {
        try await session.transaction { _ in
            try await takeTurn()
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

    /// One chunk in a transaction, which runs again after a deadlock: what it writes follows from the chunk alone.
    private func writeAlone(_ chunk: FileChunk, _ writing: inout ChunkWriter, _ report: inout ImportReport) async throws {
        let before = (writing, report)
        var outcome: ChunkResult?
        do {
            try await session.transaction(TransactionOptions(retry: Self.retry)) { _ in
                (writing, report) = before
                try await takeTurn()
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

    /// Puts what large transactions have written into lists and searches, a part in a transaction each; `notify` hears how many items that were.
    ///
    /// What is not done when it ends early is left in the queue, for a server or the next import.
    package func derive(_ notify: (_ items: Int) throws -> Void = { _ in }) async throws {
        let total = try await session.derive(notify)
        // Few enough are noticed in time by PostgreSQL itself.
        if total >= 10_000 { try await session.run(PostgresQuery(ImportStatements.analyze)) }
    }

    private func takeTurn() async throws {
        try await session.run([PostgresQuery(ImportStatements.lock), PostgresQuery(ImportStatements.queue)])
    }

    /// Whether the catalog is empty, and closed to everybody else until the transaction ends.
    ///
    /// It is asked once more behind the lock: while that was waited for, another session may have written an item.
    private func closeEmptyCatalog() async throws -> Bool {
        try await session.run([PostgresQuery(ImportStatements.savepoint), PostgresQuery(ImportStatements.closeCatalog)])
        let isEmpty = try await mayLoad()
        // Taking it back opens the catalog again.
        try await session.run((isEmpty ? [] : [PostgresQuery(ImportStatements.takeBack)]) + [PostgresQuery(ImportStatements.release)])
        return isEmpty
    }

    private func mayLoad() async throws -> Bool {
        try await session.rows(of: PostgresQuery(ImportStatements.mayLoad), as: Bool.self).first ?? false
    }

    /// One chunk, or with it all others, in a transaction that the caller has opened.
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
        var kept = counts
        kept.rejected = report.counts.rejected + stop.rejects.count
        try notify(.written(kept, chunk, rejects: stop.rejects))
        return stop.failure(kept)
    }

    private struct DryRunRollback: Error {}

    /// Of a chunk that is not written, with its rejects.
    private struct Stop: Error {
        let rejects: [[Reject]]
        let failure: @Sendable (_ kept: ImportCounts) -> ImportFailure
    }

    /// One chunk, and behind the last one what is missing in the file.
    private func work(
        on chunk: FileChunk, _ writing: inout ChunkWriter, _ report: inout ImportReport
    ) async throws -> ChunkResult {
        let allowed = options.maxRejects - report.counts.rejected
        guard !chunk.isTooLong else { throw Stop(rejects: chunk.rejects) { .tooManyRecords($0) } }
        guard !chunk.isUnreadable else { throw Stop(rejects: chunk.rejects) { .unreadableFile($0) } }
        guard chunk.rejects.count <= allowed else { throw Stop(rejects: chunk.rejects) { .tooManyRejects($0) } }
        var outcome = try await writing.write(chunk, maxRejects: allowed)
        outcome.rejects.sort { ($0.first?.line ?? 0) < ($1.first?.line ?? 0) }
        // Nothing of a chunk is kept that brings the one reject too many.
        guard outcome.counts.rejected <= allowed else { throw Stop(rejects: outcome.rejects) { .tooManyRejects($0) } }
        guard !outcome.isCutShort else { throw Stop(rejects: outcome.rejects) { .tooManyConstraintFailures($0) } }
        report.counts += outcome.counts
        // A catalog that was empty misses nothing.
        if let ending = chunk.ending, options.prunes, writing.numbers == nil { try await prune(ending, &report) }
        return outcome
    }

    /// Withdraws the items that the catalog has, of the kinds of the file, and the file has not.
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

    /// The items of the kinds of a file by pages: the ids of those that the file has not, and how many there are.
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
    /// Derives what is in the queue, a part in a transaction each; answers how many items that were, and `notify` hears of each part.
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
