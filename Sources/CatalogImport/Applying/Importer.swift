internal import Postgres

/// Brings a catalog to what a file says, chunk by chunk.
///
/// Importers take turns by the chunk, so that two of one file end as one would. One that was killed is run again: what it had written is found
/// to be as it should be.
package struct Importer {
    let statements: ImportStatements
    let connection: ImportConnection
    let options: ImportOptions
    /// Hears of each chunk that was written; one that is part of a larger transaction may still be taken back.
    let tell: (ImportCounts, FileChunk, [[Reject]]) throws -> Void

    package init(
        _ statements: ImportStatements, _ connection: ImportConnection, _ options: ImportOptions,
        tell: @escaping (_ counts: ImportCounts, _ chunk: FileChunk, _ rejects: [[Reject]]) throws -> Void
    ) {
        self.statements = statements
        self.connection = connection
        self.options = options
        self.tell = tell
    }

    /// What the items of a file may refer to before it has told anything itself.
    package static func words(_ statements: ImportStatements, _ connection: ImportConnection) async throws -> CatalogWords {
        let results = try await connection.run([PostgresQuery(statements.categories), PostgresQuery(statements.storefronts)])
        var words = CatalogWords()
        for (key, kind) in try results[0].rows(as: String.self, String?.self) {
            words.categories[key] = .some(kind.flatMap { ItemKind(rawValue: $0) })
        }
        for (key, currency) in try results[1].rows(as: String.self, String.self) { words.storefronts[key] = currency }
        return words
    }

    /// Takes chunks until there are no more.
    package func run(_ next: () async throws -> FileChunk?) async throws -> ImportReport {
        var report = ImportReport()
        guard let first = try await next() else { return report }
        if options.isDryRun {
            var writing = ChunkWriting(statements, connection)
            try await write(first, andAll: true, next, &writing, &report)
            return report
        }
        // Of an empty catalog, and a file of more than one chunk, all is written at once.
        try await connection.transaction {
            try await connection.run(PostgresQuery(statements.lock))
            let loads = first.ending == nil ? try await mayLoad() : false
            if loads { try await connection.run(PostgresQuery(statements.putKeysOff)) }
            var writing = ChunkWriting(statements, connection, isLoading: loads)
            try await write(first, andAll: loads || options.isAtomic, next, &writing, &report)
            if loads {
                try await connection.run(PostgresQuery(statements.makeKeys))
                try await connection.run([PostgresQuery(statements.tellAll), PostgresQuery(statements.settle)])
                try await connection.run(PostgresQuery(statements.makeIndexes))
            }
        }
        while let chunk = try await next() {
            try await connection.transaction {
                try await connection.run(PostgresQuery(statements.lock))
                var writing = ChunkWriting(statements, connection)
                try await write(chunk, andAll: false, next, &writing, &report)
            }
        }
        return report
    }

    private func mayLoad() async throws -> Bool {
        try await connection.run(PostgresQuery(statements.mayLoad)).rows(as: Bool.self).first ?? false
    }

    /// One chunk, or with it all others that there are.
    private func write(
        _ first: FileChunk, andAll: Bool, _ next: () async throws -> FileChunk?, _ writing: inout ChunkWriting, _ report: inout ImportReport
    ) async throws {
        let before = report.counts
        var chunk: FileChunk? = first
        while let current = chunk {
            do {
                let outcome = try await work(on: current, &writing, &report)
                try tell(report.counts, current, outcome.rejects)
            } catch let excess as TooManyRejects {
                var kept = before
                kept.rejected = report.counts.rejected + excess.rejects.count
                try tell(kept, current, excess.rejects)
                throw ImportFailure.tooManyRejects(kept)
            }
            chunk = andAll ? try await next() : nil
        }
    }

    private struct TooManyRejects: Error {
        let rejects: [[Reject]]
    }

    /// One chunk, and behind the last one what is missing in the file.
    private func work(
        on chunk: FileChunk, _ writing: inout ChunkWriting, _ report: inout ImportReport
    ) async throws -> ChunkOutcome {
        guard report.counts.rejected + chunk.rejects.count <= options.maxRejects else { throw TooManyRejects(rejects: chunk.rejects) }
        var outcome = try await options.isDryRun ? writing.plan(chunk) : writing.write(chunk)
        outcome.rejects.sort { ($0.first?.line ?? 0) < ($1.first?.line ?? 0) }
        // Nothing of a chunk is kept that brings the one reject too many.
        guard report.counts.rejected + outcome.counts.rejected <= options.maxRejects else { throw TooManyRejects(rejects: outcome.rejects) }
        report.counts += outcome.counts
        if let ending = chunk.ending, options.prunes {
            // A record that could not be read may be of any item.
            report.leftMissing = report.counts.rejected > 0
            // A catalog that was empty misses nothing.
            if !report.leftMissing, writing.lastNumber == nil { report.counts.withdrawn = try await withdraw(missingIn: ending) }
        }
        return outcome
    }

    /// How many items the catalog has, of the kinds of the file, and the file has not. They are withdrawn unless this is a dry run.
    private func withdraw(missingIn ending: FileEnding) async throws -> Int {
        let kinds = ending.kinds.map(\.rawValue)
        var count = 0
        var last = UUID(high: 0, low: 0)
        while true {
            let rows = try await connection.run(PostgresQuery(statements.living, last, kinds))
                .rows(as: UUID.self, String.self, String.self)
            guard let end = rows.last?.0 else { return count }
            last = end
            let missing = rows.filter { row in ItemKind(rawValue: row.1).map { !ending.has($0, source: row.2) } ?? false }.map(\.0)
            count += missing.count
            if !missing.isEmpty, !options.isDryRun { try await connection.run(PostgresQuery(statements.withdraw, missing)) }
        }
    }
}
