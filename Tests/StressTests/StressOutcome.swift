import Host

/// The counts and violations of a run, reported by all its tasks.
final class StressOutcome: Sendable {
    /// The invariants of section 6 of the protocol. Replays, tombstones, scopes and caches are covered by convergence.
    enum Invariant: String, Sendable, CaseIterable {
        case converges = "CONV"
        case clean = "DIRTY"
        case monotonic = "MONO"
        case cut = "CUT"
        case moves = "LOOP"
        case limited = "LIMIT"
        case fresh = "FRESH"
        case sealed = "CURSOR"
        case timely = "LIVE"
        /// A client sees exactly the sections of its arms.
        case assigned = "ARM"
        /// A process ended unexpectedly, or a response is invalid.
        case orderly = "ORDER"
    }

    struct Violation: Sendable, CustomStringConvertible {
        let invariant: Invariant
        let what: String

        var description: String { "\(invariant.rawValue): \(what)" }
    }

    private static let maxOfEach = 20

    private struct State {
        var violations: [Violation] = []
        var counts: [String: Int] = [:]
        var longest: [String: Duration] = [:]
    }

    private let state = Locked(State())

    var violations: [Violation] { state.withLock { $0.violations } }

    func violate(_ invariant: Invariant, _ what: @autoclosure () -> String) {
        let what = what()
        state.withLock { state in
            // The first few of each invariant suffice, and must not displace those of another.
            guard state.violations.count(where: { $0.invariant == invariant }) < Self.maxOfEach else { return }
            state.violations.append(Violation(invariant: invariant, what: what))
        }
    }

    func expect(_ isSo: Bool, _ invariant: Invariant, _ what: @autoclosure () -> String) {
        if !isSo { violate(invariant, what()) }
    }

    func count(_ what: String, _ number: Int = 1) { state.withLock { $0.counts[what, default: 0] += number } }

    func count(of what: String) -> Int { state.withLock { $0.counts[what] ?? 0 } }

    func took(_ time: Duration, _ what: String) { state.withLock { $0.longest[what] = max($0.longest[what] ?? .zero, time) } }

    /// The counts, times and violations, one line each.
    var summary: String {
        state.withLock { state in
            let counts = state.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
            let times = state.longest.sorted { $0.key < $1.key }.map { "\($0.key) at the latest: \($0.value)" }
            return (counts + times + state.violations.map(\.description)).joined(separator: "\n")
        }
    }
}
