internal import EventLoop
internal import Feeds
internal import HTTPMessages
internal import Host

/// The requests that wait for the next publication. They are woken over a time that grows with their number, so that
/// the clients do not all return together.
final class SyncWaitQueue: Sendable {
    enum Outcome: Sendable {
        case published, timedOut, stopping, left
        /// The storefront of the request is no longer open.
        case closed
    }

    /// The deadline of a waiting request, and its storefront.
    private struct Wait: Sendable {
        let deadline: Deadline
        let storefront: String?
    }

    /// The pace at which waiting requests are woken.
    struct Pace: Sendable {
        /// The number of requests that are woken over `longest`. Fewer are woken in less time.
        var herd = 20_000
        var longest = Duration.milliseconds(250)
        /// The number of requests that need not be spread over time.
        var atOnce = 200
        /// The interval in which expired requests are looked up.
        var pollInterval = Duration.milliseconds(200)
    }

    private typealias Waiters = ParkedTasks<Wait, Outcome>

    private struct State {
        var head: PublishedHead?
        var isStopping = false
        var waiting = Waiters()
        var count = 0
        var addresses: AddressCounts
        /// The IDs of the requests to wake, the next one last. `began` is the time at which the first of them was
        /// woken.
        var woken: [Int] = []
        var began = Deadline.now
        var wokenCount = 0
        var nextPoll = Deadline.now
    }

    private let limit: Int
    private let pace: Pace
    private let state: Locked<State>

    init(limit: Int, addresses: AddressCounts, pace: Pace = Pace()) {
        self.limit = limit
        self.pace = pace
        state = Locked(State(addresses: addresses))
    }

    /// The newest published head that this server knows.
    var head: PublishedHead? { state.withLock { $0.head } }

    var count: Int { state.withLock { $0.count } }

    /// A permit to wait. It is released by `leave()`, or when the last reference to it is gone.
    final class Admission: Sendable {
        private let waiters: Locked<SyncWaitQueue?>

        private let address: AddressCounts.Admission

        fileprivate init(_ waiters: SyncWaitQueue, _ address: AddressCounts.Admission) {
            self.waiters = Locked(waiters)
            self.address = address
        }

        deinit { leave() }

        func leave() { waiters.withLock { $0.take() }?.leave(address) }
    }

    /// Returns a permit; nil if the total limit or the limit of the address is reached.
    func admit(from address: String) -> Admission? {
        let admission = state.withLock { state -> AddressCounts.Admission? in
            guard state.count < limit, !state.isStopping, let admission = state.addresses.admit(address) else { return nil }
            state.count += 1
            return admission
        }
        return admission.map { Admission(self, $0) }
    }

    private func leave(_ admission: AddressCounts.Admission) {
        state.withLock { state in
            state.count -= 1
            state.addresses.release(admission)
        }
    }

    /// Returns immediately if a newer head is already published, or if the storefront is closed. `isClosed` is called
    /// while the queue is locked, so a storefront that is closed after it wakes the request.
    func wait(
        after head: PublishedHead, until deadline: Deadline, in storefront: String? = nil, isClosed: () -> Bool = { false }
    ) async -> Outcome {
        await state.park(among: \.waiting, for: Wait(deadline: deadline, storefront: storefront), whenCancelled: .left) { state in
            if state.isStopping { return .stopping }
            if isClosed() { return .closed }
            if let published = state.head, published.isNewer(after: head) { return .published }
            return nil
        }
    }

    /// Wakes the waiting requests after a publication: a few in this call, the others by calls of `wakeSome`.
    ///
    /// Many are sorted outside the lock, which each page request takes. Requests that arrive during that time know the
    /// new head.
    func publish(_ head: PublishedHead, at now: Deadline = .now) {
        let crowd = state.withLock { state -> Crowd in
            guard head != state.head else { return .few([]) }
            state.head = head
            guard state.waiting.all.count > pace.atOnce else {
                state.woken = []
                return .few(state.waiting.removeAll())
            }
            return .many(Array(state.waiting.all.keys), before: state.woken)
        }
        switch crowd {
        case .few(let waiters): for waiter in waiters { waiter.resume(.published) }
        case .many(let ids, let before):
            // Requests that an earlier publication has yet to wake come first, then those that have waited longest.
            let rest = Set(before)
            let woken = ids.filter { !rest.contains($0) }.sorted(by: >) + before
            let first = state.withLock { state -> [Waiters.Task] in
                guard state.head == head, !state.isStopping else { return [] }
                state.woken = woken
                state.wokenCount = woken.count
                state.began = now
                return Self.take(downTo: woken.count - pace.atOnce, &state)
            }
            for waiter in first { waiter.resume(.published) }
        }
    }

    private enum Crowd {
        case few([Waiters.Task])
        /// The IDs of all requests, and of those that an earlier publication has yet to wake. The next one is last.
        case many([Int], before: [Int])
    }

    /// Wakes the requests whose turn it is and those that have expired. It must be called every few milliseconds.
    func wakeSome(at now: Deadline = .now) {
        let (published, late) = state.withLock { state in (takePublished(&state, now), takeLate(&state, now)) }
        for waiter in published { waiter.resume(.published) }
        for waiter in late { waiter.resume(.timedOut) }
    }

    private func takePublished(_ state: inout State, _ now: Deadline) -> [Waiters.Task] {
        guard !state.woken.isEmpty else { return [] }
        let window = pace.longest * Double(min(state.wokenCount, pace.herd)) / Double(pace.herd)
        let share = min(1, now.duration(since: state.began) / window)
        let rest = Int(Double(state.wokenCount) * (1 - share))
        return Self.take(downTo: rest, &state)
    }

    /// Removes the requests whose turn it is, until only `rest` are left to wake.
    private static func take(downTo rest: Int, _ state: inout State) -> [Waiters.Task] {
        var waiters: [Waiters.Task] = []
        while state.woken.count > rest, let id = state.woken.popLast() {
            if let waiter = state.waiting.remove(id) { waiters.append(waiter) }
        }
        return waiters
    }

    private func takeLate(_ state: inout State, _ now: Deadline) -> [Waiters.Task] {
        guard state.nextPoll <= now else { return [] }
        state.nextPoll = now.advanced(by: pace.pollInterval)
        let late = state.waiting.all.filter { $0.value.reason.deadline <= now }.keys
        return late.compactMap { state.waiting.remove($0) }
    }

    /// Wakes the waiting requests of storefronts that are no longer open.
    func close(_ storefronts: Set<String>) {
        let closed = state.withLock { state in
            let ids = state.waiting.all.filter { $0.value.reason.storefront.map(storefronts.contains) ?? false }.keys
            return ids.compactMap { state.waiting.remove($0) }
        }
        for waiter in closed { waiter.resume(.closed) }
    }

    func stop() {
        let all = state.withLock { state in
            state.isStopping = true
            state.woken = []
            return state.waiting.removeAll()
        }
        for waiter in all { waiter.resume(.stopping) }
    }
}
