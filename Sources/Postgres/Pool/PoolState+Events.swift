extension PoolState {
    mutating func apply(_ event: PoolEvent, at now: PoolInstant, random: inout some RandomNumberGenerator) {
        switch event {
        case .started: break
        case .requested(let request): admit(request, at: now)
        case .cancelled(let waiter):
            if waiters.remove(waiter) { fail(waiter, .cancelled) }
        case .connected(let id): handleConnected(id, at: now, random: &random)
        case .connectFailed(let id, let error): handleClosed(id, error, at: now, random: &random)
        case .returned(let id, let condition): handleReturned(id, condition, at: now, random: &random)
        case .checked(let id, let isHealthy):
            guard let index = index(of: id), connections[index].state == .checking else { return }
            if isHealthy { makeIdle(index, at: now) } else { close(index) }
        case .lost(let id): lose(id, at: now, random: &random)
        case .closed(let id):
            if let index = index(of: id), connections[index].state == .closing { connections.remove(at: index) }
        case .timerFired: timer = nil
        case .shutDown(let deadline): drain(until: deadline)
        }
    }

    private func index(of id: PoolConnectionID) -> Int? { connections.firstIndex { $0.id == id } }

    private mutating func admit(_ request: PoolRequest, at now: PoolInstant) {
        if phase != .open {
            fail(request.waiter, .shuttingDown)
        } else if request.deadline <= now {
            fail(request.waiter, .deadlinePassed)
        } else if waiters.count >= limits.maxWaiting {
            fail(request.waiter, .queueFull)
        } else {
            waiters.append(request)
        }
    }

    private mutating func handleConnected(_ id: PoolConnectionID, at now: PoolInstant, random: inout some RandomNumberGenerator) {
        guard let index = index(of: id), connections[index].state == .connecting else { return }
        reachability = .present
        connections[index].opened = now
        let share = 1 - limits.lifeTimeJitter * Double.random(in: 0..<1, using: &random)
        connections[index].retirement = now.advanced(by: limits.lifeTime * share)
        makeIdle(index, at: now)
    }

    private mutating func handleClosed(
        _ id: PoolConnectionID, _ error: PoolEvent.Rejection, at now: PoolInstant, random: inout some RandomNumberGenerator
    ) {
        guard let index = index(of: id), connections[index].state == .connecting else { return }
        connections.remove(at: index)
        reachability.fail(at: now, backOff: limits.backOff, random: &random)
        guard error == .final else { return }
        for waiter in waiters.removeAll() { fail(waiter, .refused) }
    }

    private mutating func handleReturned(
        _ id: PoolConnectionID, _ condition: PoolEvent.Condition, at now: PoolInstant, random: inout some RandomNumberGenerator
    ) {
        guard let index = index(of: id), case .leased(let isLost) = connections[index].state else { return }
        if condition == .broken, !isLost { recordEarlyClose(index, at: now, random: &random) }
        if isLost || condition == .broken || phase != .open || connections[index].isRetired(at: now) {
            close(index)
        } else if condition == .uncertain {
            connections[index].state = .checking
            actions.append(.check(id))
        } else {
            makeIdle(index, at: now)
        }
    }

    private mutating func lose(_ id: PoolConnectionID, at now: PoolInstant, random: inout some RandomNumberGenerator) {
        guard let index = index(of: id) else { return }
        switch connections[index].state {
        case .idle, .checking:
            recordEarlyClose(index, at: now, random: &random)
            close(index)
        case .leased:
            recordEarlyClose(index, at: now, random: &random)
            connections[index].state = .leased(isLost: true)
        case .connecting, .closing: break
        }
    }

    /// Counts a session that ends right after its start as a failed attempt. Without a pause, the next one would fail
    /// the same way.
    private mutating func recordEarlyClose(_ index: Int, at now: PoolInstant, random: inout some RandomNumberGenerator) {
        guard let opened = connections[index].opened, now < opened.advanced(by: limits.backOff.longest) else { return }
        reachability.fail(at: now, backOff: limits.backOff, random: &random)
    }

    private mutating func drain(until deadline: PoolInstant) {
        switch phase {
        case .open: phase = .draining(deadline: deadline)
        case .draining(let before): phase = .draining(deadline: min(before, deadline))
        case .drained: return
        }
        for waiter in waiters.removeAll() { fail(waiter, .shuttingDown) }
        for index in connections.indices where connections[index].isIdle || connections[index].isComing { close(index) }
    }

    private mutating func makeIdle(_ index: Int, at now: PoolInstant) {
        var connection = connections.remove(at: index)
        connection.state = .idle(since: now)
        connections.append(connection)
    }
}
