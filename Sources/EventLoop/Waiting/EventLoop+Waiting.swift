package import Host

extension EventLoop {
    /// Waits until a descriptor is ready, and says for what. A deadline that has passed comes first.
    ///
    /// For a task of any executor, but without a change of thread only for one that prefers this loop. The deadline and cancellation free
    /// the registration at once: in the call of `cancel` where that comes on the loop's thread, else in the loop's next turn.
    @discardableResult
    package func wait(
        for interest: Readiness, on descriptor: Int32, until deadline: Deadline, named event: EventName = "wait"
    ) async throws(EventLoopError) -> Readiness {
        switch await outcome(of: Wait(event, for: Wait.Subject(descriptor: descriptor, interest: interest), until: deadline)) {
        case .ready(let readiness): return readiness
        case .failed(let code): throw EventLoopError(code, event)
        case .refused(let error): throw error
        }
    }

    /// Returns when the deadline has passed, never earlier.
    package func sleep(until deadline: Deadline, named event: EventName = "sleep") async throws(EventLoopError) {
        switch await outcome(of: Wait(event, for: nil, until: deadline)) {
        case .ready, .failed(.deadlinePassed): return
        case .failed(let code): throw EventLoopError(code, event)
        case .refused(let error): throw error
        }
    }

    /// The next of these signals, each of which every thread must hold (`Signal.hold`) so that it waits to be taken.
    package func next(
        of signals: [Signal], until deadline: Deadline, named event: EventName = "signal"
    ) async throws(EventLoopError) -> Signal {
        let queue = try SignalQueue(signals, event: event)
        while true {
            if let signal = queue.next() { return signal }
            try await wait(for: .readable, on: queue.descriptor.number, until: deadline, named: event)
        }
    }

    private func outcome(of wait: Wait) async -> Wait.Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isAccepted = perform(wait.event) { wait.begin(continuation, in: self.reactor) }
                if !isAccepted { continuation.resume(returning: .failed(.loopStopped)) }
            }
        } onCancel: {
            _ = perform(wait.event) { wait.end(.failed(.cancelled)) }
        }
    }
}
