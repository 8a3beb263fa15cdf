package import Values

/// A filter that limits repeated observations: it passes the first few of a window, and summarizes the rest in one with
/// their count.
///
/// Observations without a `repetition` always pass.
package struct RepeatFilter: Sendable {
    package struct Limits: Sendable {
        /// The maximum number of observations of one repetition that pass in a window.
        package var burst = 3
        package var window = Duration.seconds(10)
        /// The maximum number of distinct repetitions. Further ones of an event share one.
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
    /// The last time of the search for expired windows, which runs at most once a second.
    private var searchedAt: Timestamp?

    package init(_ limits: Limits = Limits()) { self.limits = limits }

    /// Returns the observations to write now: the summaries of expired windows, and the observation unless it is held
    /// back.
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

    /// Returns one observation for each expired window that held any back: the newest, with their count in the field
    /// `repeated`.
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

    /// Returns the summaries of all windows, expired or not, and removes all windows.
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
