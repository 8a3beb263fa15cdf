import EventLoop
import Host
import TestSupport

/// A set of tasks on one event loop, which report unexpected outcomes to the stage.
typealias Scenario = @Sendable (Stage) async throws -> Void

/// The context of a scenario.
struct Stage: Sendable {
    private static let maxIssues = 10

    let loop: EventLoop
    let chance: Chance
    let start = Deadline.now
    private let reported = Locked<(issues: [String], notes: [String])>(([], []))

    init(on loop: EventLoop, seed: UInt64) {
        self.loop = loop
        chance = Chance(seed: seed)
    }

    /// The virtual time since the scenario started.
    var elapsed: Duration { Deadline.now.duration(since: start) }

    var issues: [String] { reported.withLock { $0.issues } }
    var notes: [String] { reported.withLock { $0.notes } }

    func fail(_ issue: String) {
        let line = "after \(elapsed): \(issue)"
        reported.withLock { if $0.issues.count < Self.maxIssues { $0.issues.append(line) } }
    }

    func expect(_ isSo: Bool, _ issue: @autoclosure () -> String) { if !isSo { fail(issue()) } }

    /// Records an event with its time. The notes are printed when a seed is repeated, and are compared between its runs.
    func note(_ event: String) {
        let line = "\(elapsed): \(event)"
        reported.withLock { $0.notes.append(line) }
    }

    func sleep(_ duration: Duration) async throws { try await loop.sleep(until: .after(duration)) }

    func sleep(upTo longest: Duration) async throws { try await sleep(chance.duration(upTo: longest)) }

    /// Sleeps for the whole duration, even if the task is canceled.
    func sleepAnyhow(_ duration: Duration) async {
        await Task(executorPreference: loop) { do { try await sleep(duration) } catch {} }.value
    }
}

/// A sequence of random choices from a seed.
struct Chance: Sendable {
    private let random: Locked<SeededRandom>

    init(seed: UInt64) { random = Locked(SeededRandom(seed: seed)) }

    func number(in range: ClosedRange<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    func below(_ count: Int) -> Int { number(in: 0...count - 1) }

    func happens(_ share: Int, in whole: Int) -> Bool { below(whole) < share }

    /// Returns a duration in whole milliseconds, so that events coincide.
    func duration(upTo longest: Duration) -> Duration { .milliseconds(number(in: 0...Int(longest / .milliseconds(1)))) }

    func duration(in range: ClosedRange<Duration>) -> Duration { range.lowerBound + duration(upTo: range.upperBound - range.lowerBound) }
}
