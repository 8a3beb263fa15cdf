/// Decides for a pool of connections to one server who gets which and when one is opened or closed.
///
/// It neither connects nor waits: events go in, actions come out, and the moment and the dice come with each event. Those who wait are
/// served in order; the connection used last is used next, so that those above the need grow idle and are closed.
package struct PoolState: Sendable {
    enum Phase: Equatable {
        /// May become `draining`.
        case open
        /// May become `drained`, at the latest once what it closes at the deadline is closed.
        case draining(deadline: PoolInstant)
        case drained
    }

    package let limits: PoolLimits
    var phase = Phase.open
    var presence = ServerReachability.present
    /// Idle ones in the order in which they became so.
    var connections: [PooledConnection] = []
    var waiters = WaiterQueue()
    var actions: [PoolAction] = []
    var timer: PoolInstant?
    private var connectionsMade: UInt64 = 0

    package init(_ limits: PoolLimits) {
        precondition(limits.maxWaiting > 0, "a pool in which nobody may wait never opens a connection")
        self.limits = limits
    }

    /// Moments never go back from one event to the next.
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
    /// Brings the pool to where nothing is left to do before the next event or the timer.
    mutating func settle(at now: PoolInstant) {
        for waiter in waiters.removeAll(dueAt: now) { fail(waiter, presence.isAway ? .serverAway : .deadlinePassed) }
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

    /// Those that somebody has or can have, or will be able to.
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
        for _ in 0..<presence.attempts(wanted: wanted, running: running, at: now) { connect() }
    }

    /// How many more connections there should be: one for each waiter that no coming one is for, and the minimum, within the maximum.
    private var wanted: Int {
        let forWaiters = waiters.count - connections.count(where: \.isComing)
        return min(max(forWaiters, limits.minimum - live, 0), limits.maximum - connections.count)
    }

    private mutating func schedule() {
        guard let next = nextTime else { return }
        if let timer, timer <= next { return }
        timer = next
        actions.append(.scheduleTimer(at: next))
    }

    /// When something will be to do if no event comes before.
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
        guard case .away(_, let retry) = presence, wanted > 0, !connections.contains(where: { $0.state == .connecting }) else { return nil }
        return retry
    }
}

enum ServerReachability: Equatable {
    /// Any number of attempts may run. The first to fail makes it `away`.
    case present
    /// One attempt at a time, from `retry` on. One that succeeds makes it `present`.
    case away(failures: Int, retry: PoolInstant)

    var isAway: Bool { self != .present }

    func attempts(wanted: Int, running: Int, at now: PoolInstant) -> Int {
        switch self {
        case .present: wanted
        case .away(_, let retry): now >= retry && running == 0 ? min(wanted, 1) : 0
        }
    }

    /// An attempt failed. Those that began before the pause and fail during it say nothing new.
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
        /// May become `idle`, `closing`, or be gone.
        case connecting
        /// May become `leased` or `closing`.
        case idle(since: PoolInstant)
        /// May become `idle`, `checking` or `closing`. One that broke stays with its holder until it is returned.
        case leased(isLost: Bool)
        /// May become `idle` or `closing`.
        case checking
        /// Can only be gone.
        case closing
    }

    let id: PoolConnectionID
    var state = State.connecting
    var opened: PoolInstant?
    /// The moment from which it is closed rather than reused; nil until it has connected.
    var retirement: PoolInstant?

    var isIdle: Bool { idleSince != nil }

    var idleSince: PoolInstant? {
        if case .idle(let since) = state { since } else { nil }
    }

    var isLeased: Bool {
        if case .leased = state { true } else { false }
    }

    /// True of those that will be free in a moment without anybody returning them.
    var isComing: Bool { state == .connecting || state == .checking }

    func isRetired(at now: PoolInstant) -> Bool { retirement.map { $0 <= now } ?? false }
}
