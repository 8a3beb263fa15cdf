package import HTTPMessages
internal import Host

/// How many requests were answered on each route, with what status and how fast.
package final class RequestMetrics: Sendable {
    /// Upper bounds in nanoseconds; a cached page takes microseconds, a query milliseconds.
    static let bounds: [Int64] = [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]

    /// What a route has answered with one status to one method.
    struct Outcome: Hashable {
        let method: Method
        let status: Int
    }

    struct Figures {
        var requests: [Outcome: Int] = [:]
        /// Those at or below each bound and above the one before; one more for those above all.
        var durations = [Int](repeating: 0, count: RequestMetrics.bounds.count + 1)
        /// In nanoseconds.
        var sum: Int64 = 0
    }

    private let figures = Locked<[String: Figures]>([:])

    package init() {}

    package func count(route: String, method: Method, status: Status, nanoseconds: Int64) {
        // A client may invent methods; each would be a series of its own.
        let method = if case .other = method { Method.other("OTHER") } else { method }
        let place = Self.bounds.firstIndex { nanoseconds <= $0 } ?? Self.bounds.count
        figures.withLock { figures in
            figures[route, default: Figures()].count(Outcome(method: method, status: status.rawValue), place, nanoseconds)
        }
    }

    var snapshot: [String: Figures] { figures.withLock { $0 } }
}

extension RequestMetrics.Figures {
    fileprivate mutating func count(_ outcome: RequestMetrics.Outcome, _ place: Int, _ nanoseconds: Int64) {
        requests[outcome, default: 0] += 1
        durations[place] += 1
        sum += nanoseconds
    }
}
