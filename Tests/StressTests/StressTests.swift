import Host
import TestSupport
import Testing

/// Concurrent clients and writers with failures of all parts: `make stress` runs for minutes, the tests for seconds.
@Suite("Clients during failures", .serialized, .onOwnThread) struct StressTests {
    private static let minutes = TestVariable.number("STRESS_MINUTES")

    /// The seeds. `STRESS_SEED` repeats one, and a run of minutes has one.
    private static let seeds =
        TestVariable.number("STRESS_SEED").map { [$0] } ?? (minutes == nil ? Seeds.fixed(1) : [Seeds.fresh])

    @Test("Every client ends with the current data, and never has data that was not committed", arguments: seeds)
    func everything(seed: UInt64) async throws {
        let enough = [
            "times up to date": 21, "writes": 51, "changes": 501, "pages with arms": 11, "started experiments": 1,
            "concluded experiments": 1,
        ]
        let run = StressRun(
            settings: .drawn(from: seed), duration: Self.minutes.map { .seconds($0 * 60) } ?? .seconds(12), enough: enough,
            // In a debug build, a second is too short.
            timeout: Self.minutes == nil ? .seconds(15) : .seconds(1))
        try await run.run()
        print("stress, \(run.settings):\n\(run.outcome.summary)")
        #expect(run.outcome.violations.isEmpty, "\(run.settings): \(run.outcome.violations.prefix(5))")
        #expect(run.outcome.count(of: "comparisons") == 7, "\(run.settings)")
        for (what, count) in enough { #expect(run.outcome.count(of: what) >= count, "\(run.settings): \(what)") }
        if Self.minutes != nil { #expect(run.outcome.count(of: "expired cursors") > 0 && run.outcome.count(of: "repairs") > 0) }
    }

    @Test("Clients lose changes if versions come from a sequence instead of the sequencer")
    func naive() async throws {
        let run = StressRun(settings: StressSettings(seed: 1), duration: .seconds(4), isNaive: true, timeout: .seconds(60))
        try await run.run()
        #expect(run.outcome.violations.contains { $0.invariant == .converges }, "\(run.outcome.summary)")
    }
}
