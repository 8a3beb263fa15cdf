/// A subject and how its figures are obtained; each lives in a file of its own and is listed in `main.swift`.
struct BenchmarkSuite: Sendable {
    let name: String
    let run: @Sendable () throws -> [BenchmarkRow]
}

/// Two implementations disagree, so that comparing their speed would say nothing.
struct BenchmarkDisagreement: Error {
    let what: String
}

/// What is to be measured does not run.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
