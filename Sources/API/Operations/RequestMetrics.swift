package import HTTPMessages
internal import Host

/// How many requests were answered on each route, with what status and how fast.
package final class RequestMetrics: Sendable {
    struct Key: Hashable {
        let route: String
        let method: String
        let status: Int
    }

    /// Upper bounds in seconds; a cached page takes microseconds, a query milliseconds.
    static let bounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    struct Histogram {
        /// Those at or below each bound and above the one before; one more for those above all.
        var counts = [Int](repeating: 0, count: RequestMetrics.bounds.count + 1)
        var sum = 0.0
    }

    struct Figures {
        var requests: [Key: Int] = [:]
        var durations: [String: Histogram] = [:]
    }

    private let figures = Locked(Figures())

    package init() {}

    package func count(route: String, method: Method, status: Status, seconds: Double) {
        // A client may invent methods; each would be a series of its own.
        let name = if case .other = method { "OTHER" } else { method.description }
        let place = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        figures.withLock { figures in
            figures.requests[Key(route: route, method: name, status: status.rawValue), default: 0] += 1
            figures.durations[route, default: Histogram()].counts[place] += 1
            figures.durations[route, default: Histogram()].sum += seconds
        }
    }

    var snapshot: Figures { figures.withLock { $0 } }
}
