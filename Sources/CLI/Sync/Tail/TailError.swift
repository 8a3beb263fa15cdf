internal import Arguments

/// Why `sync tail` ends before its time, for whoever reads standard error.
struct TailError: Error {
    let message: String
    let advice: String
    let exitCode: ExitCode
}
