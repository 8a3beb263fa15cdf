/// Those who wait, in the order in which they came.
///
/// Adding, taking the first and removing one from the middle take constant time on average.
struct WaiterQueue {
    private var deadlines: [PoolWaiterID: PoolInstant] = [:]
    /// Those removed from the middle are still here, and no more in `deadlines`.
    private var order: [PoolWaiterID] = []
    private var head = 0
    /// Not later than the earliest deadline; exact after `removeAll(dueAt:)`.
    private(set) var earliestDeadline: PoolInstant?

    var count: Int { deadlines.count }

    mutating func append(_ request: PoolRequest) {
        let former = deadlines.updateValue(request.deadline, forKey: request.waiter)
        precondition(former == nil, "a waiter has a number of its own")
        order.append(request.waiter)
        earliestDeadline = earliestDeadline.map { min($0, request.deadline) } ?? request.deadline
    }

    mutating func popFirst() -> PoolWaiterID? {
        while head < order.count {
            let waiter = order[head]
            head += 1
            if remove(waiter) { return waiter }
        }
        return nil
    }

    /// False where it does not wait.
    mutating func remove(_ waiter: PoolWaiterID) -> Bool {
        guard deadlines.removeValue(forKey: waiter) != nil else { return false }
        compact()
        return true
    }

    /// Takes out those whose deadline has come, in order; looks at all who wait only where there may be one.
    mutating func removeAll(dueAt now: PoolInstant) -> [PoolWaiterID] {
        guard let earliestDeadline, earliestDeadline <= now else { return [] }
        let due = order[head...].filter { deadlines[$0].map { $0 <= now } ?? false }
        for waiter in due { deadlines[waiter] = nil }
        compact()
        self.earliestDeadline = deadlines.values.min()
        return due
    }

    mutating func removeAll() -> [PoolWaiterID] {
        defer { self = WaiterQueue() }
        return order[head...].filter { deadlines[$0] != nil }
    }

    /// Keeps what is stale below what is live.
    private mutating func compact() {
        if deadlines.isEmpty {
            earliestDeadline = nil
            order.removeAll(keepingCapacity: true)
            head = 0
        } else if order.count > 2 * deadlines.count + 32 {
            order = order[head...].filter { deadlines[$0] != nil }
            head = 0
        }
    }
}
