package import Access
package import CatalogImport
package import EventLoop
internal import JSON
package import Postgres

/// The end of an import. It is recorded even if the task and the connection that ran the import are lost.
struct ImportFinalizer: Sendable {
    /// The timeout of all attempts together.
    private static let timeout = Duration.seconds(5)
    private static let pause = Duration.milliseconds(200)

    let id: Int
    let end: ImportOutcome
    let request: String?

    /// Records the end in a separate task, because the waiting task may be canceled. If the connection is lost, it
    /// tries others until the timeout.
    func write(
        over connection: PostgresConnection, or reconnect: @escaping @Sendable () async throws -> PostgresConnection
    ) async throws -> ImportRecord {
        try await Task(executorPreference: connection.loop) {
            let deadline = Deadline.after(Self.timeout)
            var current = connection
            defer { if current !== connection { current.close() } }
            while true {
                do {
                    if !current.isUsable { current = try await reconnect() }
                    return try await write(over: current, until: deadline)
                } catch let error as PostgresError where error.classification == .unavailable || error.classification == .retry {
                    guard Deadline.after(Self.pause) < deadline else { throw error }
                    try await connection.loop.sleep(until: .after(Self.pause), named: "import: retry recording its end")
                }
            }
        }.value
    }

    /// Records the end and its audit entry in one transaction.
    func write(over connection: PostgresConnection, until deadline: Deadline) async throws -> ImportRecord {
        let session = PostgresSession(connection, until: deadline)
        let log = ImportLog(session)
        let audit = AuditStore(session)
        do {
            return try await log.end(id, end) { record in try await audit.record(record, request: request) }
        } catch let error as AccessError {
            throw error.underlying
        }
    }
}

/// Ends the imports whose session is gone, each with an audit entry, so that the log shows what they wrote.
package enum InterruptedImportReaper {
    /// Ends each import only once, even if several servers run this at the same time.
    package static func run(_ connection: PostgresConnection, until deadline: Deadline) async throws {
        let log = ImportLog(PostgresSession(connection, until: deadline))
        for id in try await log.abandoned() {
            let ending = ImportFinalizer(id: id, end: ImportOutcome(failure: ImportOutcome.interrupted), request: nil)
            _ = try await ending.write(over: connection, until: deadline)
        }
    }
}

extension AuditStore {
    /// Adds one audit entry for a whole import, with its counts and the hash of its file. A dry run has none.
    package func record(_ record: ImportRecord, request: String?) async throws {
        guard !record.isDryRun else { return }
        let change = AuditedChange(.importItems, of: "imports/\(record.id)", from: nil, to: try record.json())
        try await self.record(change, token: record.token, actor: record.actor, request: request)
    }
}
