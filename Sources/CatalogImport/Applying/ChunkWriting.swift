internal import JSON
internal import Postgres

/// Writes a chunk within a transaction that holds the lock. What the database refuses is taken back and becomes a reject: of items, those that
/// are at fault are found by halves.
struct ChunkWriting {
    let statements: ImportStatements
    let connection: ImportConnection
    /// Of a catalog whose keys are put off, where asking would take long; nil of any other.
    var lastNumber: Int64?

    private var isLoading: Bool { lastNumber != nil }

    init(_ statements: ImportStatements, _ connection: ImportConnection, isLoading: Bool = false) {
        self.statements = statements
        self.connection = connection
        lastNumber = isLoading ? 0 : nil
    }

    mutating func write(_ chunk: FileChunk) async throws -> ChunkOutcome {
        var outcome = ChunkOutcome()
        outcome.rejects = chunk.rejects
        outcome.counts.rejected = chunk.rejects.count
        let words = WordWriting(statements: statements, connection: connection)
        for (record, line) in chunk.storefronts {
            try await attempt(line, &outcome) { outcome in outcome.count(try await words.write(record)) }
        }
        for (record, line) in chunk.categories {
            try await attempt(line, &outcome) { outcome in outcome.count(try await words.write(record)) }
        }
        try await write(chunk.items[...], &outcome)
        for chart in chunk.charts {
            let items = try await words.items(of: chart.record)
            if let reject = chart.reject(items.map { $0 != nil }) {
                outcome.reject(reject)
            } else {
                try await attempt(chart.line, &outcome) { outcome in
                    outcome.count(try await words.write(chart.record, items.compactMap(\.self)))
                }
            }
        }
        return outcome
    }

    /// Writes nothing, and says what would be.
    func plan(_ chunk: FileChunk) async throws -> ChunkOutcome {
        var outcome = ChunkOutcome()
        outcome.rejects = chunk.rejects
        outcome.counts.rejected = chunk.rejects.count
        let words = WordWriting(statements: statements, connection: connection)
        for (record, _) in chunk.storefronts { outcome.count(try await words.plan(record)) }
        for (record, _) in chunk.categories { outcome.count(try await words.plan(record)) }
        let plan = try await ItemPlan.make(of: chunk.items, statements, connection)
        outcome.counts += plan.counts
        outcome.rejects += plan.rejects
        for chart in chunk.charts {
            let items = try await words.items(of: chart.record)
            if let reject = chart.reject(zip(items, chart.isInFile).map { $0 != nil || $1 }) {
                outcome.reject(reject)
            } else {
                outcome.count(try await words.outcome(of: chart.record, items))
            }
        }
        return outcome
    }

    private mutating func write(_ items: ArraySlice<PreparedItem>, _ outcome: inout ChunkOutcome) async throws {
        guard let first = items.first else { return }
        do {
            let writing = ItemWriting(statements: statements, connection: connection)
            var plan = ItemPlan()
            var highest: Int64?
            let last = lastNumber
            try await settled(checks: !isLoading) {
                plan =
                    try await last == nil
                    ? ItemPlan.make(of: Array(items), statements, connection) : ItemPlan.load(Array(items), statements, connection)
                highest = try await writing.write(plan, lastNumber: last)
            }
            if isLoading { lastNumber = highest ?? last }
            outcome.counts += plan.counts
            outcome.rejects += plan.rejects
        } catch let error as PostgresError where error.isAboutData {
            guard items.count > 1 else { return outcome.reject(Reject(error, line: first.line)) }
            let middle = items.startIndex + items.count / 2
            try await write(items[..<middle], &outcome)
            try await write(items[middle...], &outcome)
        }
    }

    private func attempt(
        _ line: Int, _ outcome: inout ChunkOutcome, _ body: (inout ChunkOutcome) async throws -> Void
    ) async throws {
        var attempted = outcome
        do {
            try await settled { try await body(&attempted) }
            outcome = attempted
        } catch let error as PostgresError where error.isAboutData {
            outcome.reject(Reject(error, line: line))
        }
    }

    /// Has all constraints checked at the end of the body, unless their keys are put off; where anything fails, it has not happened.
    private func settled(checks: Bool = true, _ body: () async throws -> Void) async throws {
        try await connection.run(PostgresQuery(statements.savepoint))
        do {
            try await body()
            let check = checks ? [PostgresQuery(statements.settle), PostgresQuery(statements.defer)] : []
            try await connection.run(check + [PostgresQuery(statements.release)])
        } catch let error as PostgresError where error.isAboutData {
            try await connection.run(PostgresQuery(statements.takeBack))
            throw error
        }
    }
}

extension FileChunk.ChartOfFile {
    /// For the first of its items that is not there.
    fileprivate func reject(_ isThere: [Bool]) -> Reject? {
        guard let place = isThere.firstIndex(of: false) else { return nil }
        let pointer = JSONPointer(tokens: ["items", "\(place)"])
        return Reject(
            line: line, place: .pointer(pointer.description), code: .unknown, reason: "there is no item \(record.items[place])")
    }
}

extension PostgresError {
    /// Whether other rows would have been taken.
    fileprivate var isAboutData: Bool { classification == .badInput || classification == .conflict }
}

extension Reject {
    fileprivate init(_ error: PostgresError, line: Int) {
        let rule = error.constraint.map { "the constraint \($0)" } ?? "the database (SQLSTATE \(error.sqlState?.rawValue ?? "unknown"))"
        self.init(line: line, code: .constraint, reason: "refused by \(rule)")
    }
}
