package import Values

/// Bounds what observations of the same thing cost: the first few of a window are let through, and the rest becomes one with their number.
///
/// Observations without a `repetition` are always let through.
package struct RepeatFilter: Sendable {
    package struct Limits: Sendable {
        /// How many of one repetition are let through in a window.
        package var burst = 3
        package var window = Duration.seconds(10)
        /// How many repetitions are told apart; the rest of an event shares one.
        package var repetitions = 128

        package init() {}
    }

    private struct Series {
        let since: Timestamp
        var passed = 0
        /// The number of observations that were held back, and the newest of them.
        var held: (count: Int, last: Observation)?
    }

    private let limits: Limits
    private var series: [String: Series] = [:]
    /// When it last searched for windows that are over, which it does once a second at most.
    private var searchedAt: Timestamp?

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Returns what is to be written now: what the windows that are over have held back, and the observation unless it is held back itself.
    package mutating func admit(_ observation: Observation, at time: Timestamp) -> [Observation] {
        guard let repetition = observation.repetition else { return [observation] }
        var passed = summaries(at: time)
        let key = key(of: observation, repetition)
        var entry = series[key] ?? Series(since: time)
        if entry.passed < limits.burst {
            entry.passed += 1
            passed.append(observation)
        } else {
            entry.held = ((entry.held?.count ?? 0) + 1, observation)
        }
        series[key] = entry
        return passed
    }

    /// Returns one observation for each window that is over and has held any back: the newest, with their number in the field `repeated`.
    package mutating func summaries(at time: Timestamp) -> [Observation] {
        if let searchedAt, (Duration.zero..<min(.seconds(1), limits.window)).contains(searchedAt.duration(to: time)) { return [] }
        searchedAt = time
        let isOver = series.filter { _, entry in
            // The clock may have been set back.
            time < entry.since || time >= entry.since.advanced(by: limits.window)
        }
        for key in isOver.keys { series[key] = nil }
        return Self.summaries(isOver)
    }

    /// Returns what every window holds back, whether it is over or not, and forgets all windows.
    package mutating func finish() -> [Observation] {
        defer { series = [:] }
        return Self.summaries(series)
    }

    private func key(of observation: Observation, _ repetition: String) -> String {
        let key = "\(observation.event) \(repetition)"
        return series[key] != nil || series.count < limits.repetitions ? key : "\(observation.event)"
    }

    private static func summaries(_ series: [String: Series]) -> [Observation] {
        series.sorted { $0.key < $1.key }.compactMap { $0.value.held.map { $0.last.repeated($0.count) } }
    }
}
