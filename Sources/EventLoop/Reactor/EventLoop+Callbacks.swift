package import Host

/// Registrations without a task. Call these methods on the loop's thread, where the callbacks run too.
extension EventLoop {
    /// Calls back whenever a descriptor is ready, until the watch is canceled.
    ///
    /// A callback that may release its own object must keep it alive with `withExtendedLifetime`.
    package func watch(
        _ descriptor: Int32, for interest: Readiness, named event: WorkLabel, _ callback: @escaping (Readiness) -> Void
    ) throws(EventLoopError) -> Watch {
        try reactor.watch(descriptor, for: interest, event: event, handler: .callback(callback))
    }

    package func schedule(
        at deadline: Deadline, named event: WorkLabel, _ callback: @escaping () -> Void
    ) throws(EventLoopError) -> TimerToken {
        guard !reactor.isStopped else { throw EventLoopError(.loopStopped, event) }
        return reactor.timers.insert(.call(event, callback), at: deadline)
    }

    /// Changes the deadline of a timer without an allocation. Returns false if it has fired, is about to fire, or was
    /// canceled.
    package func move(_ timer: TimerToken, to deadline: Deadline) -> Bool { reactor.timers.move(timer, to: deadline) }

    /// Cancels a timer. Returns false if it has fired or was canceled before.
    @discardableResult
    package func cancel(_ timer: TimerToken) -> Bool { reactor.timers.remove(timer) != nil }

    /// Closes a descriptor. Its waits end with `descriptorClosed`, and its watches are canceled.
    ///
    /// The kernel does not report a closed descriptor. A wait for one that is closed elsewhere lasts until its
    /// deadline.
    package func close(_ descriptor: consuming Descriptor) { reactor.abandon(descriptor.number) }

    /// The number of waits and watches of descriptors, and of timers, including the deadlines of waits.
    package var registrations: (descriptors: Int, timers: Int) { (reactor.watches.count, reactor.timers.count) }
}

extension EventLoop {
    /// Runs a call on the loop's thread, from any thread. On the loop's own thread it runs immediately, otherwise after
    /// the queued work.
    ///
    /// Throws `loopStopped` after the start of a stop. Calls accepted before are run.
    package func submit(named event: WorkLabel, _ call: @escaping @Sendable () -> Void) throws(EventLoopError) {
        guard perform(event, call) else { throw EventLoopError(.loopStopped, event) }
    }
}
