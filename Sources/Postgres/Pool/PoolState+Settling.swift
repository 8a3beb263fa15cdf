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
        guard let next = nextMoment else { return }
        if let timer, timer <= next { return }
        timer = next
        actions.append(.scheduleTimer(at: next))
    }

    /// When something will be to do if no event comes before.
    private var nextMoment: PoolInstant? {
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
