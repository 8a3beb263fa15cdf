internal import EventLoop
package import HTTPMessages
internal import Host
internal import Synchronization

/// The number of requests of one route by status, and their durations.
package final class RouteMetrics: Sendable {
    /// The upper bounds of the buckets in nanoseconds. A cached page takes microseconds, a query milliseconds.
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
        /// The number of requests at or below each bound and above the previous one. The last element counts those
        /// above all bounds.
        package private(set) var durations = [Int](repeating: 0, count: RouteMetrics.bounds.count + 1)
        /// The sum of the durations in nanoseconds. 64 bits overflow after 292 years, which 25,000 clients reach
        /// together within days.
        package private(set) var sum: Int128 = 0

        mutating func add(_ other: Snapshot) {
            for outcome in other.requests { add(outcome) }
            for index in durations.indices { durations[index] += other.durations[index] }
            sum += other.sum
        }

        fileprivate mutating func add(_ outcome: Outcome) {
            if let index = requests.firstIndex(where: { $0.status == outcome.status && $0.method == outcome.method }) {
                requests[index].count += outcome.count
            } else {
                requests.append(outcome)
            }
        }

        fileprivate mutating func add(_ quick: QuickRequests) {
            var outcome = quick.outcome
            outcome.count = quick.count.load(ordering: .relaxed)
            guard outcome.count > 0 else { return }
            add(outcome)
            durations[0] += outcome.count
            sum += Int128(quick.nanoseconds.load(ordering: .relaxed))
        }

        fileprivate mutating func addDuration(_ nanoseconds: Int64, of requests: Int = 1, _ index: Int) {
            durations[index] += requests
            sum += Int128(nanoseconds) * Int128(requests)
        }
    }

    private struct Part {
        var snapshot = Snapshot()
        var quick: [QuickRequests] = []
    }

    /// The requests of one loop with one method and status whose duration was in the first bucket. They are counted without a lock and
    /// without a search.
    fileprivate final class QuickRequests: Sendable {
        let outcome: Outcome
        let count = Atomic(0)
        /// The sum of their durations. They follow each other, so it reaches 64 bits after 292 years.
        let nanoseconds = Atomic<Int64>(0)

        init(_ outcome: Outcome) { self.outcome = outcome }
    }

    /// The metrics of each event loop, so that a loop neither waits for another nor takes its memory. From the ninth loop on,
    /// several loops share one.
    private let parts = (0..<8).map { _ in Locked(Part()) }

    private var part: Locked<Part> { parts[EventLoop.currentIndex & 7] }

    /// Counts requests that took the same time.
    func count(_ requests: Int = 1, method: Method, status: Status, nanoseconds: Int64) {
        let outcome = Self.outcome(method, status, requests)
        let index = Self.bucket(of: nanoseconds)
        part.withLock { part in
            part.snapshot.add(outcome)
            part.snapshot.addDuration(nanoseconds, of: requests, index)
        }
    }

    /// Returns a function that counts requests like `count`, for many requests of the current loop.
    func counter(method: Method, status: Status) -> @Sendable (_ requests: Int, _ nanoseconds: Int64) -> Void {
        let outcome = Self.outcome(method, status, 0)
        let quick = part.withLock { part in
            if let known = part.quick.first(where: { $0.outcome.status == outcome.status && $0.outcome.method == outcome.method }) {
                return known
            }
            let quick = QuickRequests(outcome)
            part.quick.append(quick)
            return quick
        }
        return { [self] requests, nanoseconds in
            guard nanoseconds <= Self.quickest else {
                return count(requests, method: method, status: status, nanoseconds: nanoseconds)
            }
            quick.count.wrappingAdd(requests, ordering: .relaxed)
            quick.nanoseconds.wrappingAdd(nanoseconds &* Int64(requests), ordering: .relaxed)
        }
    }

    private static let quickest = bounds[0]

    /// Counts a request without its duration, because it was rejected before it was measured or waited for an event.
    func count(method: Method, status: Status) {
        let outcome = Self.outcome(method, status)
        part.withLock { $0.snapshot.add(outcome) }
    }

    /// Adds the duration of work whose client no longer waits. Its status, if the client received one, is already
    /// counted.
    func count(nanoseconds: Int64) {
        let index = Self.bucket(of: nanoseconds)
        part.withLock { $0.snapshot.addDuration(nanoseconds, index) }
    }

    /// A client may invent methods, and each would be another time series.
    private static func outcome(_ method: Method, _ status: Status, _ count: Int = 1) -> Outcome {
        let method = if case .other = method { Method.other("OTHER") } else { method }
        return Outcome(method: method, status: status.rawValue, count: count)
    }

    private static func bucket(of nanoseconds: Int64) -> Int { bounds.firstIndex { nanoseconds <= $0 } ?? bounds.count }

    /// The sum over all loops, read at slightly different times.
    var snapshot: Snapshot {
        parts.reduce(into: Snapshot()) { sum, part in
            let part = part.withLock { $0 }
            sum.add(part.snapshot)
            for quick in part.quick { sum.add(quick) }
        }
    }
}
