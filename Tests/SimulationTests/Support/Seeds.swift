import Host
import Testing

/// The seeds that a test runs a scenario with: the same few each time, and some that nobody has tried.
///
/// `SIMULATION_SEED` repeats one, with its notes. `SIMULATION_SECONDS` goes on with fresh ones for so long.
enum Seeds {
    private static let fixed: UInt64 = 20

    private struct Failure: Sendable {
        let seed: UInt64
        let count: Int
        let mistakes: [String]
    }

    static func play(
        _ name: String, fresh: Int = 20, longest: Duration = .seconds(86_400), sourceLocation: SourceLocation = #_sourceLocation,
        _ scenario: @escaping Scenario
    ) async throws {
        let failure = await withCheckedContinuation { continuation in
            let body: @Sendable () -> Void = {
                continuation.resume(returning: Result { try play(name, fresh: fresh, longest: longest, scenario) })
            }
            do { try Thread.start(body) } catch { continuation.resume(returning: .failure(error)) }
        }
        guard let failure = try failure.get() else { return }
        Issue.record(
            """
            \(name), seed \(failure.seed) (number \(failure.count)): \(failure.mistakes.joined(separator: "; "))
            SIMULATION_SEED=\(failure.seed) repeats it.
            """, sourceLocation: sourceLocation)
    }

    /// Ends with the first seed that finds a mistake.
    private static func play(
        _ name: String, fresh: Int, longest: Duration, _ scenario: @escaping Scenario
    ) throws -> Failure? {
        let environment = Machine.environment
        if let seed = environment["SIMULATION_SEED"].flatMap({ UInt64($0) }) {
            let run = try Simulation.run(seed: seed, longest: longest, scenario)
            print(run.notes.map { "\(name): \($0)" }.joined(separator: "\n"))
            return run.mistakes.isEmpty ? nil : Failure(seed: seed, count: 1, mistakes: run.mistakes)
        }
        let limit = environment["SIMULATION_SECONDS"].flatMap { Int($0) }.map { Duration.seconds($0) }
        let (first, began) = (UInt64.random(in: fixed..<1 << 48), ContinuousClock.now)
        var (count, steps) = (0, 0)
        while count < Int(fixed) + fresh || ContinuousClock.now - began < limit ?? .zero {
            let seed = count < fixed ? UInt64(count) : first + UInt64(count)
            let run = try Simulation.run(seed: seed, longest: longest, scenario)
            count += 1
            steps += run.steps
            var mistakes = run.mistakes
            if count == 1, try Simulation.run(seed: seed, longest: longest, scenario) != run {
                mistakes.append("its run is another each time")
            }
            guard mistakes.isEmpty else { return Failure(seed: seed, count: count, mistakes: mistakes) }
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
