/// A queue of requests in their order of arrival.
///
/// Appending and removing the first take amortized constant time. Removing from the middle, which happens only on
/// cancellation, searches all requests.
struct WaiterQueue {
    /// The requests. Those before `head` have been removed.
    private var requests: [PoolRequest] = []
    private var head = 0
    /// A lower bound of the earliest deadline, exact after `removeAll(dueAt:)`.
    private(set) var earliestDeadline: PoolInstant?

    var count: Int { requests.count - head }

    mutating func append(_ request: PoolRequest) {
        requests.append(request)
        earliestDeadline = .earliest(earliestDeadline, request.deadline)
    }

    mutating func popFirst() -> PoolWaiterID? {
        guard head < requests.count else { return nil }
        defer { drop(head + 1) }
        return requests[head].waiter
    }

    /// Removes a request. Returns false if it is not waiting.
    mutating func remove(_ waiter: PoolWaiterID) -> Bool {
        guard let index = requests[head...].firstIndex(where: { $0.waiter == waiter }) else { return false }
        requests.remove(at: index)
        drop(head)
        return true
    }

    /// Removes the requests whose deadline has passed, in order. Searches all requests only if one may be due.
    mutating func removeAll(dueAt now: PoolInstant) -> [PoolWaiterID] {
        guard let earliestDeadline, earliestDeadline <= now else { return [] }
        let due = requests[head...].filter { $0.deadline <= now }.map(\.waiter)
        requests = requests[head...].filter { $0.deadline > now }
        drop(0)
        self.earliestDeadline = requests.map(\.deadline).min()
        return due
    }

    mutating func removeAll() -> [PoolWaiterID] {
        defer { self = WaiterQueue() }
        return requests[head...].map(\.waiter)
    }

    /// Moves the head, and keeps the removed part of the array smaller than the rest.
    private mutating func drop(_ newHead: Int) {
        head = newHead
        if head == requests.count {
            requests.removeAll(keepingCapacity: true)
            head = 0
            earliestDeadline = nil
        } else if head >= 32, head > requests.count / 2 {
            requests.removeFirst(head)
            head = 0
        }
    }
}
