/// A subject with the code that measures it. Each suite has its own file and is listed in `main.swift`.
struct BenchmarkSuite: Sendable {
    let name: String
    /// The programs that the suite needs for some of its rows.
    var needs: [RequiredProgram] = []
    /// Whether the suite runs if no suites are chosen.
    var runsByDefault = true
    let run: @Sendable (BenchmarkSession) throws -> [BenchmarkRow]
}

/// The error of two implementations with different results, whose speeds are not comparable.
struct BenchmarkDisagreement: Error, CustomStringConvertible {
    let what: String
    var description: String { "both sides disagree on \(what)" }
}

/// The reason why a figure cannot be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let reason: String
    var description: String { reason }
}
