import Arguments
import Postgres

struct DatabaseFailure: Error {
    let message: String
    let advice: String
    let exitCode: ExitCode
    /// The lines between the message and the advice.
    var details: [String] = []
}

extension DatabaseFailure {
    init(_ error: PostgresError, at url: DatabaseURL) {
        let state = error.sqlState?.rawValue ?? ""
        switch (error.code, state.prefix(2), error.classification) {
        case (.cancelled, _, _): self.init(message: "interrupted", advice: "", exitCode: .interrupted)
        case (_, "3D", _):
            self.init(message: "\(error)", advice: "create the database, or correct the URL \(url.redacted)", exitCode: .notFound)
        case (_, "28", _):
            self.init(message: "\(error)", advice: "correct the user or the password in the URL \(url.redacted)", exitCode: .notAllowed)
        case (_, "42", _) where state == "42501":
            self.init(
                message: "\(error)", advice: "grant the privilege to the user of \(url.redacted), or use another user",
                exitCode: .notAllowed)
        case (_, "53", _) where state != "53300":
            self.init(
                message: "\(error)", advice: "check the disk, the memory and the settings of the database server",
                exitCode: .failed)
        case (_, _, .unavailable):
            self.init(
                message: "cannot reach \(url.redacted): \(error)",
                advice: "check that the database server is running and that the URL is correct",
                exitCode: .unreachable)
        default: self.init(message: "\(error)", advice: "check the log of the database server", exitCode: .failed)
        }
    }

    init(_ error: MigrationError, at url: DatabaseURL) {
        switch error {
        case .database(let cause): self.init(cause, at: url)
        case .refused(let failure): self.init(failure)
        case .busy:
            self.init(
                message: "\(error)", advice: "find the other program in pg_stat_activity; its application_name starts with vitrine",
                exitCode: .conflict)
        case .uncertain:
            self.init(
                message: "\(error)", advice: "run the command again; it continues after the last applied migration", exitCode: .unreachable)
        case .failed(_, let cause): self.init(error, cause)
        }
    }

    init(_ error: MigrationConflict) {
        self.init(
            message: "the migrations of the database differ from those of this program", advice: "",
            exitCode: .conflict, details: "\(error)".split(separator: "\n").map(String.init))
    }

    private init(_ error: MigrationError, _ cause: PostgresError) {
        switch cause {
        case _ where cause.code == .cancelled:
            self.init(
                message: "interrupted", advice: "applied migrations are kept; run the command again to continue", exitCode: .interrupted)
        case _ where cause.sqlState == .lockNotAvailable:
            self.init(
                message: "\(error)", advice: "other sessions use the table; run the command again, or raise --lock-timeout",
                exitCode: .failed)
        case _ where cause.sqlState == .deadlockDetected:
            self.init(
                message: "\(error)",
                advice: "the migration was rolled back; stop imports and workers that use the same tables, then run the command again",
                exitCode: .failed)
        case _ where cause.classification == .unavailable:
            self.init(message: "\(error)", advice: "run the command again when the database is available", exitCode: .unreachable)
        default: self.init(message: "\(error)", advice: "the migration was rolled back; the schema is unchanged", exitCode: .failed)
        }
    }
}
