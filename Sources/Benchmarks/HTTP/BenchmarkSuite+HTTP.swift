extension BenchmarkSuite {
    /// How long a server is on its core for a request, ours against nginx, turn by turn; the rates beside it are those of a load generator that
    /// is often the slower side.
    static let http = BenchmarkSuite(name: "http") {
        try HTTPContest.run { contest in try Load.all.flatMap { try rows($0, contest) } }
    }

    private static let seconds = 2
    private static let rounds = 5

    private static func rows(_ load: Load, _ contest: HTTPContest) throws -> [BenchmarkRow] {
        var ours: [Sample] = []
        var theirs: [Sample] = []
        for _ in 0..<rounds {
            ours.append(try Sample(load, contest.vitrine, seconds: seconds))
            theirs.append(try Sample(load, contest.nginx, seconds: seconds))
        }
        return [
            BenchmarkRow(
                what: "http: \(load.name), on a core", measured: .init(value: median(ours.map(\.time)), unit: "µs"),
                against: ("nginx", .init(value: median(theirs.map(\.time)), unit: "µs")), bar: .ratioAtLeast(load.bar)),
            BenchmarkRow(
                what: "http: \(load.name), between two answers", measured: .init(value: median(ours.map(\.gap)), unit: "µs"),
                against: ("nginx", .init(value: median(theirs.map(\.gap)), unit: "µs")), bar: .ratioAtLeast(0.9)),
        ]
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    /// Microseconds a request.
    private struct Sample {
        let time: Double
        let gap: Double

        init(_ load: Load, _ server: MeasuredServer, seconds: Int) throws {
            let before = try server.time()
            let outcome = try load.run(server, seconds: seconds)
            time = (try server.time() - before) / .microseconds(1) / Double(outcome.requests)
            gap = 1_000_000 / outcome.rate
        }
    }
}
