import Host
import TestSupport
import Testing

/// Everybody at once, and everything going away and coming back: `make stress` for minutes, the tests for seconds.
@Suite("Clients that follow through everything", .serialized, .onOwnThread) struct StressTests {
    private static let minutes = Machine.environment["STRESS_MINUTES"].flatMap { Int($0) }

    @Test("have at rest what there is, and on the way nothing that never was")
    func everything() async throws {
        let seed = Machine.environment["STRESS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        let run = StressRun(
            seed: seed, duration: Self.minutes.map { .seconds($0 * 60) } ?? .seconds(12),
            // Beside all other tests, and in a program that was not made fast, a second is no time.
            patience: Self.minutes == nil ? .seconds(15) : .seconds(1))
        try await run.run()
        print("stress, seed \(seed):\n\(run.verdict.summary)")
        #expect(run.verdict.violations.isEmpty, "seed \(seed): \(run.verdict.violations.prefix(5))")
        #expect(run.verdict.count(of: "comparisons") == 7 && run.verdict.count(of: "times up to date") > 20)
        #expect(run.verdict.count(of: "writes") > 50 && run.verdict.count(of: "changes") > 500)
        if Self.minutes != nil { #expect(run.verdict.count(of: "expired cursors") > 0 && run.verdict.count(of: "repairs") > 0) }
    }

    @Test("are found to lack something where versions are given by a sequence in place of the sequencer")
    func naive() async throws {
        let run = StressRun(seed: 1, duration: .seconds(8), isNaive: true, patience: .seconds(60))
        try await run.run()
        #expect(run.verdict.violations.contains { $0.invariant == .converges })
        #expect(run.verdict.violations.contains { $0.invariant == .cut })
    }
}
