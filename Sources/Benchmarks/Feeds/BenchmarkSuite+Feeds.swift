import Host

extension BenchmarkSuite {
    /// The feeds of the sample, composed with the union of four platforms and without platforms, in turn.
    static let feeds = BenchmarkSuite(name: "feeds", needs: [.psql]) { session in
        let cluster = try session.sharedCluster()
        let none = try ComposedSample(cluster.database("without_platforms"), serving: [], session.progress)
        let four = try ComposedSample(cluster.database("with_platforms"), serving: ["ios", "ipados", "macos", "android"], session.progress)
        session.progress.show("composing the sample")
        let runs = try InterleavedRuns(rounds: 21, calls: 1) {
            try four.compose()
        } theirs: {
            try none.compose()
        }
        for sample in [none, four] { try sample.close() }
        return [
            BenchmarkRow(
                what: "feeds: the sample, composed and rendered with four served platforms", measured: runs.ours,
                against: ("with none", runs.theirs), bar: .ratioAtLeast(1 / 1.6))
        ]
    }
}
