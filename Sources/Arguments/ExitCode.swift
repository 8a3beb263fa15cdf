/// The exit code of the process.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case ok = 0
    case failed = 1
    /// The two sides differ or there are warnings, and the caller requested an exit code for this.
    case differs = 2
    case notFound = 3
    case conflict = 4
    case invalid = 5
    case notAllowed = 6
    case unreachable = 7
    /// The command line is invalid; `EX_USAGE` of sysexits.
    case usage = 64
    /// SIGINT ended the command. The code is the one that shells report.
    case interrupted = 130

    /// The description for the manual, in one sentence.
    package var meaning: String {
        switch self {
        case .ok: "Success."
        case .failed: "Failure without a more specific code, or a declined confirmation."
        case .differs: "Differences, findings or warnings, with --exit-code."
        case .notFound: "Not found."
        case .conflict: "Conflict with the current state or with another user."
        case .invalid: "Invalid input."
        case .notAllowed: "Not allowed."
        case .unreachable: "The server or the database is unreachable."
        case .usage: "Usage error."
        case .interrupted: "Interrupted."
        }
    }
}
