import Host

extension BenchmarkSuite {
    /// The time that a user waits for help, as whole processes from start to end. `true` shows the cost of starting any
    /// process.
    static let startup = BenchmarkSuite(name: "startup") { _ in
        let vitrine = try VitrineServer.program()
        let runs = try InterleavedRuns(calls: 1) {
            try run(vitrine, ["--help"])
        } theirs: {
            try run("/bin/true", [])
        }
        return [
            BenchmarkRow(
                what: "startup: vitrine --help", measured: runs.ours.inMilliseconds,
                against: ("/bin/true", runs.theirs.inMilliseconds), bar: .atMost(20))
        ]
    }

    /// Runs a program with `Host`, because Foundation detects the end of a process about fifty milliseconds late.
    private static func run(_ program: String, _ arguments: [String]) throws {
        let status = try ProcessLaunch(program, arguments).output().status
        guard status.isSuccess else { throw BenchmarkFailure(reason: "\(program) ended with \(status)") }
    }
}
