package import HTTPMessages
internal import Host

/// How many requests a route has answered, with what status and how fast.
package final class RouteMetrics: Sendable {
    /// Upper bounds in nanoseconds; a cached page takes microseconds, a query milliseconds.
    package static let bounds: [Int64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    package struct Outcome: Sendable {
        package let method: Method
        package let status: Int
        package fileprivate(set) var count: Int
    }

    package struct Snapshot: Sendable {
        package private(set) var requests: [Outcome] = []
        /// Those at or below each bound and above the one before; one more for those above all.
        package private(set) var durations = [Int](repeating: 0, count: RouteMetrics.bounds.count + 1)
        /// In nanoseconds. 64 bits overflow after 292 years, which 25,000 clients pass together within days.
        package private(set) var sum: Int128 = 0

        mutating func add(_ other: Snapshot) {
            for outcome in other.requests { add(outcome) }
            for place in durations.indices { durations[place] += other.durations[place] }
            sum += other.sum
        }

        fileprivate mutating func add(_ outcome: Outcome) {
            if let place = requests.firstIndex(where: { $0.status == outcome.status && $0.method == outcome.method }) {
                requests[place].count += outcome.count
            } else {
                requests.append(outcome)
            }
        }

        fileprivate mutating func addDuration(_ nanoseconds: Int64, _ place: Int) {
            durations[place] += 1
            sum += Int128(nanoseconds)
        }
    }

    private let metrics = Locked(Snapshot())

    func count(method: Method, status: Status, nanoseconds: Int64) {
        let outcome = Self.outcome(method, status)
        let place = Self.place(of: nanoseconds)
        metrics.withLock { metrics in
            metrics.add(outcome)
            metrics.addDuration(nanoseconds, place)
        }
    }

    /// Counts a request without its duration: it was refused before it was measured, or its client waited for something to happen.
    func count(method: Method, status: Status) {
        let outcome = Self.outcome(method, status)
        metrics.withLock { $0.add(outcome) }
    }

    /// How long was worked for nobody any more; what the client was told, if it is there, is counted already.
    func count(nanoseconds: Int64) {
        let place = Self.place(of: nanoseconds)
        metrics.withLock { $0.addDuration(nanoseconds, place) }
    }

    /// A client may invent methods; each would be a series of its own.
    private static func outcome(_ method: Method, _ status: Status) -> Outcome {
        let method = if case .other = method { Method.other("OTHER") } else { method }
        return Outcome(method: method, status: status.rawValue, count: 1)
    }

    private static func place(of nanoseconds: Int64) -> Int { bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count }

    var snapshot: Snapshot { metrics.withLock { $0 } }
}
