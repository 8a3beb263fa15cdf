/// Those who wait, in the order in which they came.
///
/// Adding and taking the first take constant time on average. Removing one from the middle, which only impatience does, looks through all.
struct WaiterQueue {
    /// Those before `head` have been taken.
    private var requests: [PoolRequest] = []
    private var head = 0
    /// Not later than the earliest deadline; exact after `removeAll(dueAt:)`.
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

    /// False where it does not wait.
    mutating func remove(_ waiter: PoolWaiterID) -> Bool {
        guard let place = requests[head...].firstIndex(where: { $0.waiter == waiter }) else { return false }
        requests.remove(at: place)
        drop(head)
        return true
    }

    /// Takes out those whose deadline has come, in order; looks at all who wait only where there may be one.
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

    /// Begins the queue at a place, and keeps what is taken below what waits.
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
