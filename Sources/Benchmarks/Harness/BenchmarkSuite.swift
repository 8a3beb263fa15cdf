/// A subject and how its figures are obtained; each lives in a file of its own and is listed in `main.swift`.
struct BenchmarkSuite: Sendable {
    let name: String
    /// The programs without which a row of it could not be measured.
    var needs: [RequiredProgram] = []
    let run: @Sendable (BenchmarkSession) throws -> [BenchmarkRow]
}

/// Two implementations disagree, so that comparing their speed would say nothing.
struct BenchmarkDisagreement: Error, CustomStringConvertible {
    let what: String
    var description: String { "both sides disagree on \(what)" }
}

/// A figure that cannot be measured, with the reason.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
