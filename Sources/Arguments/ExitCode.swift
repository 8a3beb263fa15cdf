/// The exit code of the process.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case ok = 0
    case failed = 1
    /// The two sides differ, and the caller requested an exit code for this.
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
        case .ok: "Everything went well."
        case .failed: "It failed for a reason that has no code of its own."
        case .differs: "The two sides differ."
        case .notFound: "What was asked for does not exist."
        case .conflict: "Somebody else changed it in the meantime."
        case .invalid: "The input breaks a rule."
        case .notAllowed: "The caller may not do this."
        case .unreachable: "A server or a database cannot be reached."
        case .usage: "The command line is wrong."
        case .interrupted: "Interrupted."
        }
    }
}
