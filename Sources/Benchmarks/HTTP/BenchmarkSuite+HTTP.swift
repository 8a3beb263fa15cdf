extension BenchmarkSuite {
    /// How long a server is on its core for a request, ours against nginx, turn by turn; the rates beside it are those of a load generator that
    /// is often the slower side.
    static let http = BenchmarkSuite(name: "http") {
        try HTTPContest.run { contest in try Load.all.flatMap { try contest.rows($0) } }
    }
}
