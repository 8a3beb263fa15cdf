import Host
import TestSupport
import Testing

/// The seeds of a scenario: some fixed ones, and some derived from the seed of the run.
///
/// `SIMULATION_SEED` repeats one seed and prints its notes. `SIMULATION_SECONDS` continues with new seeds for that time.
enum ScenarioSeeds {
    private static let fixed = 20

    private struct Failure: Sendable {
        let seed: UInt64
        let count: Int
        let issues: [String]
    }

    static func play(
        _ name: String, fresh: Int = 20, longest: Duration = .seconds(86_400), sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async throws {
        let failure = await withCheckedContinuation { continuation in
            let body: @Sendable () -> Void = {
                continuation.resume(
                    returning: Result {
                        try DescriptorTable.makePrivate()
                        return try play(name, fresh: fresh, longest: longest, scenario)
                    })
            }
            do { try Thread.start(body) } catch { continuation.resume(returning: .failure(error)) }
        }
        guard let failure = try failure.get() else { return }
        Issue.record(
            """
            \(name), seed \(failure.seed) (number \(failure.count)): \(failure.issues.joined(separator: "; "))
            SIMULATION_SEED=\(failure.seed) repeats it.
            """, sourceLocation: sourceLocation)
    }

    /// Plays seeds until one finds an issue.
    private static func play(
        _ name: String, fresh: Int, longest: Duration, _ scenario: @escaping Scenario
    ) throws -> Failure? {
        if let seed = TestVariable.number("SIMULATION_SEED") {
            let run = try Simulation.run(seed: seed, longest: longest, scenario)
            print(run.notes.map { "\(name): \($0)" }.joined(separator: "\n"))
            return run.issues.isEmpty ? nil : Failure(seed: seed, count: 1, issues: run.issues)
        }
        let limit = TestVariable.number("SIMULATION_SECONDS").map { Duration.seconds($0) }
        let began = ContinuousClock.now
        var random = SeededRandom(seed: Seeds.fresh)
        var (count, steps) = (0, 0)
        while count < fixed + fresh || ContinuousClock.now - began < limit ?? .zero {
            let seed = count < fixed ? UInt64(count) : random.next()
            let run = try Simulation.run(seed: seed, longest: longest, scenario)
            count += 1
            steps += run.steps
            var issues = run.issues
            if count == 1 || count == fixed + 1, try Simulation.run(seed: seed, longest: longest, scenario) != run {
                issues.append("its run is another each time")
            }
            guard issues.isEmpty else { return Failure(seed: seed, count: count, issues: issues) }
        }
        if limit != nil {
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            print(
                "simulation: \(name): \(count) seeds and \(steps) steps in \(Int(seconds)) s, \(Int(Double(count) * 60 / seconds)) seeds a minute"
            )
        }
        return nil
    }
}
