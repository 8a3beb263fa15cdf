import Host

extension BenchmarkSuite {
    /// How long a person waits for help, as whole processes from start to end; `true` beside it tells what starting any process costs here.
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

    /// Through `Host`, because Foundation notices the end of a process only about fifty milliseconds later.
    private static func run(_ program: String, _ arguments: [String]) throws {
        let status = try ProcessLaunch(program, arguments).output().status
        guard status.isSuccess else { throw BenchmarkFailure(reason: "\(program) ended with \(status)") }
    }
}
