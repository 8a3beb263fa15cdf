internal import EventLoop

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

    /// Tells an event after which the connection may go to the next who waits. If nobody does, the end of its session is noticed from now on.
    func offer(_ member: PoolMember, _ event: PoolEvent) {
        handle(event)
        guard !member.isLent, !member.isClosing else { return }
        do throws(EventLoopError) {
            try member.connection?.beginIdling { [weak self] in self?.handle(.lost(member.id)) }
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
            handle(.connectFailed(member.id, error.isFinalRefusal ? .final : .away))
        }
    }
}

extension PostgresError {
    /// The server knows neither the user nor the database, and will not a moment later.
    fileprivate var isFinalRefusal: Bool { sqlState?.category == "28" || sqlState?.category == "3D" }
}
