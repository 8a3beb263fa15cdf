import Arguments
import Postgres

struct DatabaseFailure: Error {
    let message: String
    let advice: String
    let exitCode: ExitCode
}

extension DatabaseFailure {
    init(_ error: PostgresError, at url: DatabaseURL) {
        let state = error.sqlState?.rawValue ?? ""
        switch (error.code, state.prefix(2), error.classification) {
        case (.cancelled, _, _): self.init(message: "interrupted", advice: "", exitCode: .interrupted)
        case (_, "3D", _):
            self.init(message: "\(error)", advice: "Create the database, or correct the URL: \(url.redacted).", exitCode: .notFound)
        case (_, "28", _):
            self.init(message: "\(error)", advice: "Correct the user or the password in the URL: \(url.redacted).", exitCode: .notAllowed)
        case (_, "42", _) where state == "42501":
            self.init(
                message: "\(error)", advice: "Give the user of \(url.redacted) the right, or use one that has it.", exitCode: .notAllowed)
        case (_, "53", _) where state != "53300":
            self.init(
                message: "\(error)", advice: "The server has no room left for this: look at its disk, its memory and its settings.",
                exitCode: .failed)
        case (_, _, .unavailable):
            self.init(
                message: "cannot reach \(url.redacted): \(error)", advice: "Is the server running, and is the URL right?",
                exitCode: .unreachable)
        default: self.init(message: "\(error)", advice: "The log of the server may say more.", exitCode: .failed)
        }
    }

    init(_ error: MigrationError, at url: DatabaseURL) {
        switch error {
        case .database(let cause): self.init(cause, at: url)
        case .refused(let refusal): self.init(refusal)
        case .busy:
            self.init(
                message: "\(error)", advice: "pg_stat_activity lists it, with an application name that begins with vitrine.",
                exitCode: .conflict)
        case .uncertain:
            self.init(message: "\(error)", advice: "Run it again: it finds out, and goes on from there.", exitCode: .unreachable)
        case .failed(_, let cause): self.init(error, cause)
        }
    }

    init(_ refusal: MigrationConflict) {
        self.init(message: "the database has another history than this program", advice: "\(refusal)", exitCode: .conflict)
    }

    private init(_ error: MigrationError, _ cause: PostgresError) {
        switch cause {
        case _ where cause.code == .cancelled:
            self.init(message: "interrupted", advice: "What was applied stays. Run it again to go on.", exitCode: .interrupted)
        case _ where cause.sqlState == .lockNotAvailable:
            self.init(
                message: "\(error)", advice: "Others use what it changes. Run it again, or give it more patience with --lock-timeout.",
                exitCode: .failed)
        case _ where cause.classification == .unavailable:
            self.init(message: "\(error)", advice: "Run it again once the database is back.", exitCode: .unreachable)
        default: self.init(message: "\(error)", advice: "The schema is as it was before this migration.", exitCode: .failed)
        }
    }
}
