/// Why a run of migrations ended early. What was applied before stays, and the next run goes on from there.
package enum MigrationError: Error, Sendable, Equatable {
    /// The history of the database is another one; nothing was touched.
    case refused(MigrationConflict)
    /// Another run went on for longer than it was waited for.
    case busy(PostgresError)
    /// The migration left nothing behind.
    case failed(MigrationID, PostgresError)
    /// The answer to its COMMIT is missing: only the next run can tell whether it was applied.
    case uncertain(MigrationID, PostgresError)
    /// Something else than a migration failed.
    case database(PostgresError)

    /// What the database or the way to it had to do with it.
    package var cause: PostgresError? {
        switch self {
        case .refused: nil
        case .busy(let cause), .failed(_, let cause), .uncertain(_, let cause), .database(let cause): cause
        }
    }
}

extension MigrationError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let refusal): "\(refusal)"
        case .busy: "another program has been migrating this database for too long"
        case .failed(let id, let cause): "\(id).sql\(cause.line.map { ":\($0)" } ?? ""): \(cause.withoutPlace)"
        case .uncertain(let id, let cause): "\(id).sql: applied or not, \(cause.withoutPlace)"
        case .database(let cause): "\(cause)"
        }
    }
}

extension PostgresError {
    fileprivate var withoutPlace: PostgresError {
        var error = self
        error.query = nil
        return error
    }
}
