/// What the process tells the shell when it ends.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case ok = 0
    case failed = 1
    /// The two sides differ, and the caller asked to be told so by the exit code.
    case differs = 2
    case notFound = 3
    case conflict = 4
    case invalid = 5
    case notAllowed = 6
    case unreachable = 7
    /// The command line itself is wrong; `EX_USAGE` of sysexits.
    case usage = 64
    /// Ended by SIGINT, as shells report it.
    case interrupted = 130
}
