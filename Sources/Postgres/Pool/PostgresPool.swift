package import EventLoop

/// A pool of connections from one event loop to one server, each leased to one task at a time.
///
/// `PoolState` decides, and the pool performs its actions. It belongs to the thread of its loop, so its calls come from
/// tasks that prefer the loop. It lives until `shutDown`, even without references to it.
package final class PostgresPool: @unchecked Sendable {
    // Unchecked: all mutable state is accessed only on the loop's thread, which `handle` checks.
    package let loop: EventLoop
    let configuration: PostgresConfiguration
    var members: [PoolConnectionID: PoolMember] = [:]
    var waits: [PoolWaiterID: PoolWait] = [:]
    var finishing: [CheckedContinuation<Void, Never>] = []
    var lastFailure: PostgresError?
    private(set) var isFinished = false
    private let observer: @Sendable (PoolStatusChange) -> Void
    private let origin = Deadline.now
    private var state: PoolState
    // Boxed: a zero-sized value has no address of its own, and the thread sanitizer takes all of them for one.
    private var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    private var events: [PoolEvent] = []
    private var isHandling = false
    private var timer: TimerToken?
    private var waitersMade: UInt64 = 0
    private var awaySince: Deadline?

    /// Creates a pool without connections. `observer` is called on the loop's thread.
    package init(
        _ configuration: PostgresConfiguration, limits: PoolLimits, on loop: EventLoop,
        observer: @escaping @Sendable (PoolStatusChange) -> Void = { _ in }
    ) {
        self.loop = loop
        self.configuration = configuration
        self.observer = observer
        state = PoolState(limits)
    }

    package var status: PoolStatus { state.status }

    var limits: PoolLimits { state.limits }

    package var maximum: Int { limits.maximum }

    /// Opens the minimum without waiting for it.
    package func start() { handle(.started) }

    /// Stops leasing connections and returns when all are closed. Connections still in use at the deadline are closed
    /// under their users.
    package func shutDown(until deadline: Deadline) async {
        handle(.shutDown(deadline: instant(deadline)))
        guard !isFinished else { return }
        await withCheckedContinuation { finishing.append($0) }
    }

    /// Handles an event. Events that arrive during it are handled afterwards.
    func handle(_ event: PoolEvent) {
        loop.checkIsolated()
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        var index = 0
        while index < events.count {
            for action in state.handle(events[index], at: instant(.now), random: &random) { perform(action) }
            index += 1
        }
        events.removeAll(keepingCapacity: true)
        isHandling = false
        noteReachability()
    }

    func makeWaiter() -> PoolWaiterID {
        waitersMade += 1
        return PoolWaiterID(waitersMade)
    }

    func instant(_ deadline: Deadline) -> PoolInstant { PoolInstant(deadline.duration(since: origin)) }

    private func perform(_ action: PoolAction) {
        switch action {
        case .connect(let id): open(id)
        case .close(let id): close(id)
        case .check(let id): check(id)
        case .lease(let id, let waiter):
            guard let member = members[id] else { return }
            member.isLent = true
            member.connection?.endIdling()
            waits.removeValue(forKey: waiter)?.lend(member)
        case .fail(let waiter, let failure): waits.removeValue(forKey: waiter)?.fail(PostgresError(failure, lastFailure: lastFailure))
        case .scheduleTimer(let time): schedule(at: origin.advanced(by: time.sinceOrigin))
        case .finish:
            isFinished = true
            if let timer { loop.cancel(timer) }
            for continuation in finishing { continuation.resume() }
            finishing = []
        }
    }

    private func schedule(at deadline: Deadline) {
        if let timer {
            if loop.move(timer, to: deadline) { return }
            loop.cancel(timer)
        }
        do throws(EventLoopError) {
            timer = try loop.schedule(at: deadline, named: "postgres: pool") { [weak self] in self?.handle(.timerFired) }
        } catch {
            // The loop has stopped, so nothing waits any longer.
            timer = nil
        }
    }

    private func noteReachability() {
        let isAway = state.reachability.isAway
        if isAway, awaySince == nil, let lastFailure {
            awaySince = .now
            observer(.serverAway(lastFailure))
        } else if !isAway, let since = awaySince {
            awaySince = nil
            observer(.serverBack(after: Deadline.now.duration(since: since)))
        }
    }
}

extension PostgresPool {
    func open(_ id: PoolConnectionID) {
        let member = PoolMember(id)
        members[id] = member
        member.work = Task(executorPreference: loop) { [self] in await connect(member) }
    }

    func check(_ id: PoolConnectionID) {
        guard let member = members[id] else { return }
        member.work = Task(executorPreference: loop) { [self] in
            let isHealthy = await member.connection?.check(until: .after(limits.checkTime)) ?? false
            if member.isClosing { return forget(member) }
            offer(member, .checked(id, isHealthy: isHealthy))
        }
    }

    func close(_ id: PoolConnectionID) {
        guard let member = members[id] else { return }
        member.isClosing = true
        member.work?.cancel()
        guard let connection = member.connection else { return }
        connection.close()
        if connection.isClosed { forget(member) }
    }

    func forget(_ member: PoolMember) {
        member.connection?.close()
        members[member.id] = nil
        handle(.closed(member.id))
    }

    /// Reports an event after which the connection may go to the next waiter. If it stays idle, watches for the end of
    /// its session.
    func offer(_ member: PoolMember, _ event: PoolEvent) {
        handle(event)
        guard !member.isLent, !member.isClosing else { return }
        do throws(EventLoopError) {
            try member.connection?.startIdling { [weak self] in self?.handle(.lost(member.id)) }
        } catch {
            handle(.lost(member.id))
        }
    }

    private func connect(_ member: PoolMember) async {
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(limits.attemptTime))
            member.connection = connection
            if member.isClosing { return forget(member) }
            offer(member, .connected(member.id))
        } catch {
            if member.isClosing { return forget(member) }
            lastFailure = error
            members[member.id] = nil
            handle(.connectFailed(member.id, error.isFinalRejection ? .final : .away))
        }
    }
}

extension PostgresError {
    /// Whether the server rejected the user or the database, which a retry does not change.
    fileprivate var isFinalRejection: Bool { sqlState?.category == "28" || sqlState?.category == "3D" }
}
