/// The requests of a load at a constant rate, whose intended times do not depend on the responses.
///
/// The latency of a response starts at the intended time of its request. If the server stalls, all connections wait for it,
/// and each request that was due during the stall counts the rest of it. Times are nanoseconds since the start.
struct PacedSchedule {
    /// The number of requests.
    let count: Int
    private let rate: Double
    private(set) var sent = 0
    /// The time of each response since the intended time of its request.
    private(set) var latencies: [Int] = []
    /// The time for which each request waited although a connection was free. Only the load generator can be the cause.
    private(set) var delays: [Int] = []

    init(rate: Double, seconds: Double) {
        count = Int((rate * seconds).rounded())
        self.rate = rate
        latencies.reserveCapacity(count)
        delays.reserveCapacity(count)
    }

    /// The intended time of the next request, or nil after the last one.
    var due: Int? { sent < count ? time(of: sent) : nil }

    /// The intended time of a request after the last one.
    var end: Int { time(of: count) }

    var isFinished: Bool { latencies.count == count }

    /// Records that the next request is sent on a connection that has been free for some time. Returns its intended time.
    mutating func send(at now: Int, freeSince free: Int) -> Int {
        let intended = time(of: sent)
        sent += 1
        delays.append(now - max(intended, free))
        return intended
    }

    /// Records the response to a request with that intended time.
    mutating func finish(dueAt intended: Int, at now: Int) { latencies.append(now - intended) }

    private func time(of number: Int) -> Int { Int(Double(number) * 1_000_000_000 / rate) }
}
