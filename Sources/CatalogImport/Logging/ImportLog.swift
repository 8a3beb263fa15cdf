internal import JSON
package import Postgres
package import Values

/// Records imports and their progress.
package struct ImportLog {
    /// The number of rejects that are stored for one import.
    package static let maxRejects = 10_000

    private static let beginQuery = NamedQuery("imports.begin")
    private static let holdQuery = NamedQuery("imports.hold")
    private static let noteQuery = NamedQuery("imports.note")
    private static let endQuery = NamedQuery("imports.end")
    private static let rejectQuery = NamedQuery("imports.reject")
    private static let listQuery = NamedQuery("imports.list")
    private static let rejectsQuery = NamedQuery("imports.rejects")
    private static let abandonedQuery = NamedQuery("imports.abandoned")
    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    /// Records the start of an import, which runs until it ends or its session does. Without a token, the actor is the
    /// database user.
    package func start(token: UUID?, actor: String?, isDryRun: Bool) async throws -> Int {
        var started: Int?
        // One transaction inserts and locks the import, so that no other session can consider it interrupted.
        try await session.transaction { session in
            started = try await session.rows(of: PostgresQuery(Self.beginQuery, token, actor, isDryRun), as: Int.self).first
            try await session.run(PostgresQuery(Self.holdQuery, started))
        }
        guard let started else { throw PostgresError(.undecodable, "a row is missing", query: "\(Self.beginQuery.name)") }
        return started
    }

    /// Records the progress, in the transaction that writes the counted records, so that both agree. Throws if another
    /// process has ended the import because it seemed interrupted. The caller must then not write anything else.
    package func note(_ counts: ImportCounts, bytesRead: Int, of id: Int) async throws {
        guard try await noted(counts, bytesRead: bytesRead, of: id) else {
            throw PostgresError(.rolledBack, "the import has ended already", query: "\(Self.noteQuery.name)")
        }
    }

    private func noted(_ counts: ImportCounts, bytesRead: Int, of id: Int) async throws -> Bool {
        let query = PostgresQuery(
            Self.noteQuery, id, bytesRead, counts.new, counts.changed, counts.unchanged, counts.rejected, counts.withdrawn)
        return try await session.run(query).affectedRows == 1
    }

    /// Returns the imports without an end whose session no longer exists.
    package func abandoned() async throws -> [Int] { try await session.rows(of: PostgresQuery(Self.abandonedQuery), as: Int.self) }

    /// Ends an import in one transaction with the changes of the body. Does nothing if the import has already ended.
    /// Without counts, the recorded progress stays.
    package func end(
        _ id: Int, _ end: ImportOutcome, with body: (ImportRecord) async throws -> Void = { _ in }
    ) async throws -> ImportRecord {
        var record: ImportRecord?
        try await session.transaction { session in
            let log = ImportLog(session)
            if let counts = end.counts { _ = try await log.noted(counts, bytesRead: end.bytesRead, of: id) }
            let documents = try end.rejects.prefix(Self.maxRejects).map { String(decoding: try $0.json(), as: UTF8.self) }
            let query = PostgresQuery(Self.endQuery, id, end.failure == nil ? end.hash.map { Bytes($0) } : nil, end.failure)
            let hasEnded = try await session.run(query).affectedRows == 1
            if hasEnded { try await session.run(PostgresQuery(Self.rejectQuery, id, documents)) }
            guard let ended = try await log.imports(id, limit: 1).first else {
                throw PostgresError(.undecodable, "a row is missing", query: "\(Self.listQuery.name)")
            }
            if hasEnded { try await body(ended) }
            record = ended
        }
        guard let record else { throw PostgresError(.misuse, "a transaction without its body", query: "\(Self.endQuery.name)") }
        return record
    }

    /// Returns one import or all of them, the newest first, below a number.
    package func imports(
        _ id: Int? = nil, below number: Int? = nil, withDryRuns: Bool = true, limit: Int
    ) async throws -> [ImportRecord] {
        let rows = try await session.rows(
            of: PostgresQuery(Self.listQuery, id, number, limit, withDryRuns), as: Int.self, UUID?.self, String.self, Timestamp.self,
            Timestamp?.self,
            String?.self, Bool.self, Int.self, Int.self, Int.self,
            Int.self, Int.self, Int.self, String?.self, Bool.self)
        return rows.map { row in
            var counts = ImportCounts()
            (counts.new, counts.changed, counts.unchanged, counts.rejected, counts.withdrawn) = (row.8, row.9, row.10, row.11, row.12)
            let state: ImportRecord.State =
                switch (row.4, row.5) {
                case (nil, _): row.14 ? .running : .interrupted
                case (_, nil): .succeeded
                case (_, ImportOutcome.interrupted): .interrupted
                default: .failed
                }
            return ImportRecord(
                id: row.0, token: row.1, actor: row.2, startedAt: row.3, endedAt: row.4, state: state, failure: row.5, isDryRun: row.6,
                bytesRead: row.7, counts: counts, hash: row.13)
        }
    }

    /// Returns the rejects of an import as JSON, in order after a number.
    package func rejects(of id: Int, after number: Int, limit: Int) async throws -> [(number: Int, document: [UInt8])] {
        let query = PostgresQuery(Self.rejectsQuery, id, Int32(clamping: number), limit)
        return try await session.rows(of: query, as: Int32.self, JSONBytes.self).map { (Int($0), $1.bytes) }
    }
}
