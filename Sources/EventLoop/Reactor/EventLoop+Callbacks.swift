package import Host

/// What is registered without a task. Each of these must be called on the loop's thread, where the callbacks run as well.
extension EventLoop {
    /// Calls back whenever a descriptor is ready, until the watch is cancelled.
    ///
    /// A callback that may let go of its own object keeps it alive with `withExtendedLifetime`.
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

    /// Gives a timer another deadline without an allocation; false where it has fired, is about to, or was cancelled.
    package func move(_ timer: TimerToken, to deadline: Deadline) -> Bool { reactor.timers.move(timer, to: deadline) }

    /// False where the timer has fired or was cancelled before.
    @discardableResult
    package func cancel(_ timer: TimerToken) -> Bool { reactor.timers.remove(timer) != nil }

    /// Closes a descriptor; whoever waits for it gets `descriptorClosed`, and watches of it are cancelled.
    ///
    /// The kernel says nothing when a descriptor is closed, so that one which is closed elsewhere is waited for until the deadline.
    package func close(_ descriptor: consuming Descriptor) { reactor.abandon(descriptor.number) }

    /// The waits and watches of descriptors, and the timers: the deadlines of waits are among them.
    package var registrations: (descriptors: Int, timers: Int) { (reactor.watches.count, reactor.timers.count) }
}

extension EventLoop {
    /// Runs a call on the loop's thread, from any thread: at once where that is the current one, else after what is queued.
    ///
    /// Throws `loopStopped` from the beginning of a stop; what was accepted before is run.
    package func submit(named event: WorkLabel, _ call: @escaping @Sendable () -> Void) throws(EventLoopError) {
        guard perform(event, call) else { throw EventLoopError(.loopStopped, event) }
    }
}
