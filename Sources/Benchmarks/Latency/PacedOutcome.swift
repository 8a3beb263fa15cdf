import Foundation

/// The latencies of a paced load in microseconds, as its process prints them.
struct PacedOutcome: Equatable, CustomStringConvertible {
    let responses: Int
    /// The number of times that a body differed from that of the response before.
    let changes: Int
    let median: Double
    let percentile99: Double
    let maximum: Double
    /// The 99th percentile of the load generator's own delays.
    let delay: Double

    init(_ schedule: PacedSchedule, changes: Int) {
        let latencies = schedule.latencies.sorted()
        responses = latencies.count
        self.changes = changes
        median = Self.percentile(50, of: latencies)
        percentile99 = Self.percentile(99, of: latencies)
        maximum = Self.percentile(100, of: latencies)
        delay = Self.percentile(99, of: schedule.delays.sorted())
    }

    /// Parses the description. Returns nil if a number is missing.
    init?(_ text: String) {
        guard
            let match = text.firstMatch(
                of: #/paced: ([0-9]+) responses, ([0-9]+) changes, us: 50% ([0-9.]+), 99% ([0-9.]+), 100% ([0-9.]+), own 99% ([0-9.]+)/#),
            let responses = Int(match.1), let changes = Int(match.2), let median = Double(match.3), let percentile99 = Double(match.4),
            let maximum = Double(match.5), let delay = Double(match.6)
        else { return nil }
        (self.responses, self.changes, self.median, self.percentile99) = (responses, changes, median, percentile99)
        (self.maximum, self.delay) = (maximum, delay)
    }

    var description: String {
        "paced: \(responses) responses, \(changes) changes, us: 50% \(median), 99% \(percentile99), 100% \(maximum), own 99% \(delay)"
    }

    /// Returns the smallest value that at least that percentage of the values does not exceed, in microseconds. Zero if there
    /// are no values.
    static func percentile(_ percent: Double, of sorted: [Int]) -> Double {
        Double(sorted.percentile(percent) ?? 0) / 1_000
    }
}
