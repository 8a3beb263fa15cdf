internal import CEvent
package import Host

extension EventLoop {
    /// Waits until a descriptor is ready and returns its readiness. A passed deadline takes precedence.
    ///
    /// Any task can call it, but only a task that prefers this loop avoids a change of thread. The deadline and
    /// cancellation release the registration immediately: during `cancel` on the loop's thread, otherwise in the loop's
    /// next turn.
    @discardableResult
    package func wait(
        for interest: Readiness, on descriptor: Int32, until deadline: Deadline, named event: WorkLabel = "wait"
    ) async throws(EventLoopError) -> Readiness {
        try await readiness(of: Wait(event, for: .descriptor(descriptor, interest), until: deadline))
    }

    /// Waits until a watch reports readiness, which its callback does not receive in this case.
    ///
    /// It is for repeated waits on one descriptor: it registers nothing and makes no system call, except to resume a
    /// paused watch. Only one task may wait at a time.
    @discardableResult
    package func wait(for watch: Watch, until deadline: Deadline) async throws(EventLoopError) -> Readiness {
        try await readiness(of: Wait(watch.event, for: .watch(watch), until: deadline))
    }

    /// Returns after the deadline has passed, never earlier.
    package func sleep(until deadline: Deadline, named event: WorkLabel = "sleep") async throws(EventLoopError) {
        switch await outcome(of: Wait(event, for: nil, until: deadline)) {
        case .ready, .failed(.deadlinePassed): return
        case .failed(let code): throw EventLoopError(code, event)
        case .refused(let error): throw error
        }
    }

    /// Waits for the next of these signals. Every thread must block them with `Signal.hold`, so that they stay pending.
    package func next(
        of signals: [Signal], until deadline: Deadline, named event: WorkLabel = "signal"
    ) async throws(EventLoopError) -> Signal {
        let queue = try SignalQueue(signals, event: event)
        while true {
            if let signal = queue.next() { return signal }
            try await wait(for: .readable, on: queue.descriptor.number, until: deadline, named: event)
        }
    }

    private func readiness(of wait: Wait) async throws(EventLoopError) -> Readiness {
        switch await outcome(of: wait) {
        case .ready(let readiness): return readiness
        case .failed(let code): throw EventLoopError(code, wait.event)
        case .refused(let error): throw error
        }
    }

    private func outcome(of wait: Wait) async -> Wait.Outcome {
        let hasOutcome = await withTaskCancellationHandler {
            unsafe await withUnsafeContinuation { continuation in
                if isCurrent { return unsafe wait.start(continuation, in: reactor) }
                let isAccepted = perform(wait.event) { unsafe wait.start(continuation, in: self.reactor) }
                if !isAccepted { unsafe continuation.resume(returning: false) }
            }
        } onCancel: {
            _ = perform(wait.event) { wait.end(.failed(.cancelled)) }
        }
        return hasOutcome ? wait.outcome : .failed(.loopStopped)
    }
}

/// The pending signals of some kinds, as a descriptor that is readable while a signal is pending.
struct SignalQueue: ~Copyable {
    let descriptor: Descriptor
    private let signals: [Signal]

    init(_ signals: [Signal], event: WorkLabel) throws(EventLoopError) {
        let numbers = signals.map(\.number)
        let descriptor = unsafe cevent_signals_open(numbers, Int32(clamping: numbers.count))
        guard descriptor >= 0 else { throw EventLoopError(.system, event, cause: HostError(errnoOf: "open", "a signalfd")) }
        self.descriptor = Descriptor(owning: descriptor)
        self.signals = signals
    }

    func next() -> Signal? {
        let number = cevent_signals_next(descriptor.number)
        return signals.first { $0.number == number }
    }
}
