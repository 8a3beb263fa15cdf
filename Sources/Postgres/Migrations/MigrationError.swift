/// The error that ended a migration run. Migrations already applied stay, and the next run continues after them.
package enum MigrationError: Error, Sendable, Equatable {
    /// The history of the database differs from the program's. Nothing was changed.
    case refused(MigrationConflict)
    /// Another run held the lock for longer than the timeout.
    case busy(PostgresError)
    /// The migration failed and was rolled back.
    case failed(MigrationID, PostgresError)
    /// The COMMIT was not confirmed. Only the next run can find out whether it was applied.
    case uncertain(MigrationID, PostgresError)
    /// A statement other than a migration failed.
    case database(PostgresError)

    /// The underlying database or connection error.
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
        case .refused(let error): "\(error)"
        case .busy: "timed out waiting for another program that is migrating this database"
        case .failed(let id, let cause): "\(id).sql\(cause.line.map { ":\($0)" } ?? ""): \(cause.withoutPosition)"
        case .uncertain(let id, let cause): "\(id).sql: the migration may have been applied: \(cause.withoutPosition)"
        case .database(let cause): "\(cause)"
        }
    }
}

extension PostgresError {
    fileprivate var withoutPosition: PostgresError {
        var error = self
        error.query = nil
        return error
    }
}
