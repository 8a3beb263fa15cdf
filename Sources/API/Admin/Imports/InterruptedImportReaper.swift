internal import CatalogImport
package import EventLoop
package import Postgres

/// Ends the imports whose session is gone, each with its row in the audit, so that what they have kept is found there.
package struct InterruptedImportReaper: Sendable {
    package init() {}

    /// However many do it at the same time, each import ends once.
    package func run(_ connection: PostgresConnection, until deadline: Deadline) async throws {
        let log = ImportLog(PostgresSession(connection, until: deadline))
        for id in try await log.abandoned() {
            let ending = ImportFinalizer(id: id, end: ImportOutcome(failure: ImportOutcome.interrupted), request: nil)
            _ = try await ending.write(over: connection, until: deadline)
        }
    }
}
