/// A state machine that decides who gets a connection to one server, and when connections are opened and closed.
///
/// It neither connects nor waits. It maps events to actions, and each event brings the time and the random numbers.
/// Waiters are served in order. The most recently used connection is used next, so that surplus ones become idle and
/// are closed.
package struct PoolState: Sendable {
    enum Phase: Equatable {
        /// May become `draining`.
        case open
        /// May become `drained`, at the latest when the connections closed at the deadline are gone.
        case draining(deadline: PoolInstant)
        case drained
    }

    package let limits: PoolLimits
    var phase = Phase.open
    var reachability = ServerReachability.present
    /// The connections. Idle ones are in the order in which they became idle.
    var connections: [PooledConnection] = []
    var waiters = WaiterQueue()
    var actions: [PoolAction] = []
    var timer: PoolInstant?
    private var connectionsMade: UInt64 = 0

    package init(_ limits: PoolLimits) {
        precondition(limits.maxWaiting > 0, "a pool without waiters never opens a connection")
        self.limits = limits
    }

    /// Handles an event and returns the resulting actions. Times must never decrease from one event to the next.
    package mutating func handle(
        _ event: PoolEvent, at now: PoolInstant, random: inout some RandomNumberGenerator
    ) -> [PoolAction] {
        apply(event, at: now, random: &random)
        settle(at: now)
        defer { actions = [] }
        return actions
    }

    mutating func connect() {
        connectionsMade += 1
        let connection = PooledConnection(id: PoolConnectionID(number: connectionsMade))
        connections.append(connection)
        actions.append(.connect(connection.id))
    }

    mutating func close(_ index: Int) {
        connections[index].state = .closing
        actions.append(.close(connections[index].id))
    }

    mutating func fail(_ waiter: PoolWaiterID, _ failure: PoolFailure) {
        actions.append(.fail(waiter, failure))
    }
}

extension PoolState {
    /// Applies all changes that are due before the next event or timer.
    mutating func settle(at now: PoolInstant) {
        for waiter in waiters.removeAll(dueAt: now) { fail(waiter, reachability.isAway ? .serverAway : .deadlinePassed) }
        switch phase {
        case .open:
            retire(at: now)
            serve()
            grow(at: now)
        case .draining(let deadline):
            if deadline <= now {
                for index in connections.indices where connections[index].isLeased { close(index) }
            }
            if connections.isEmpty {
                phase = .drained
                actions.append(.finish)
            }
        case .drained: break
        }
        schedule()
    }

    /// The number of connections that are leased, available or about to become available.
    private var live: Int { connections.count { $0.state != .closing } }

    private mutating func retire(at now: PoolInstant) {
        var spare = live - limits.minimum
        for index in connections.indices {
            guard let since = connections[index].idleSince else { continue }
            let isUnused = spare > 0 && since.advanced(by: limits.idleTime) <= now
            guard isUnused || connections[index].isRetired(at: now) else { continue }
            close(index)
            spare -= 1
        }
    }

    private mutating func serve() {
        while let index = connections.lastIndex(where: \.isIdle), let waiter = waiters.popFirst() {
            connections[index].state = .leased(isLost: false)
            actions.append(.lease(connections[index].id, to: waiter))
        }
    }

    private mutating func grow(at now: PoolInstant) {
        let running = connections.count { $0.state == .connecting }
        for _ in 0..<reachability.attempts(requested: requested, running: running, at: now) { connect() }
    }

    /// The number of connections to open: one per waiter without a coming connection, and at least the minimum, within
    /// the maximum.
    private var requested: Int {
        let forWaiters = waiters.count - connections.count(where: \.isComing)
        return min(max(forWaiters, limits.minimum - live, 0), limits.maximum - connections.count)
    }

    private mutating func schedule() {
        guard let next = nextTime else { return }
        if let timer, timer <= next { return }
        timer = next
        actions.append(.scheduleTimer(at: next))
    }

    /// The time of the next change if no event comes before.
    private var nextTime: PoolInstant? {
        switch phase {
        case .drained: nil
        case .draining(let deadline): connections.contains(where: \.isLeased) ? deadline : nil
        case .open: .earliest(waiters.earliestDeadline, .earliest(nextRetirement, nextAttempt))
        }
    }

    private var nextRetirement: PoolInstant? {
        let isAboveMinimum = live > limits.minimum
        return connections.reduce(nil) { earliest, connection in
            guard let since = connection.idleSince else { return earliest }
            return .earliest(earliest, .earliest(connection.retirement, isAboveMinimum ? since.advanced(by: limits.idleTime) : nil))
        }
    }

    private var nextAttempt: PoolInstant? {
        guard case .away(_, let retry) = reachability, requested > 0, !connections.contains(where: { $0.state == .connecting }) else {
            return nil
        }
        return retry
    }
}

enum ServerReachability: Equatable {
    /// Any number of attempts may run. The first failure makes it `away`.
    case present
    /// One attempt at a time runs, from `retry` on. A success makes it `present`.
    case away(failures: Int, retry: PoolInstant)

    var isAway: Bool { self != .present }

    func attempts(requested: Int, running: Int, at now: PoolInstant) -> Int {
        switch self {
        case .present: requested
        case .away(_, let retry): now >= retry && running == 0 ? min(requested, 1) : 0
        }
    }

    /// Records a failed attempt. An attempt that started before the pause and fails during it adds nothing.
    mutating func fail(at now: PoolInstant, backOff: BackOff, random: inout some RandomNumberGenerator) {
        var failures = 1
        if case .away(let before, let retry) = self {
            if now < retry { return }
            failures = before + 1
        }
        let pause = backOff.pause(afterFailures: failures, random: &random)
        self = .away(failures: failures, retry: now.advanced(by: pause))
    }
}

struct PooledConnection {
    enum State: Equatable {
        /// May become `idle` or `closing`, or be removed.
        case connecting
        /// May become `leased` or `closing`.
        case idle(since: PoolInstant)
        /// May become `idle`, `checking` or `closing`. A broken connection stays leased until it is returned.
        case leased(isLost: Bool)
        /// May become `idle` or `closing`.
        case checking
        /// Can only be removed.
        case closing
    }

    let id: PoolConnectionID
    var state = State.connecting
    var opened: PoolInstant?
    /// The time from which it is closed instead of reused. nil until it has connected.
    var retirement: PoolInstant?

    var isIdle: Bool { idleSince != nil }

    var idleSince: PoolInstant? {
        if case .idle(let since) = state { since } else { nil }
    }

    var isLeased: Bool {
        if case .leased = state { true } else { false }
    }

    /// Whether the connection is about to become idle without being returned.
    var isComing: Bool { state == .connecting || state == .checking }

    func isRetired(at now: PoolInstant) -> Bool { retirement.map { $0 <= now } ?? false }
}
