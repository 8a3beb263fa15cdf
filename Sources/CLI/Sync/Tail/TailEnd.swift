internal import Arguments

/// Why `sync tail` ends before its time, for whoever reads standard error.
struct TailEnd: Error {
    let message: String
    let advice: String
    let exitCode: ExitCode
}
