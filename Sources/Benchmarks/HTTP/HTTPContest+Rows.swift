extension HTTPContest {
    /// One load on both, turn by turn.
    func rows(_ load: Load) throws -> [BenchmarkRow] {
        var ours: [Sample] = []
        var theirs: [Sample] = []
        for _ in 0..<5 {
            ours.append(try Sample(load, vitrine, seconds: 2))
            theirs.append(try Sample(load, nginx, seconds: 2))
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

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

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
