/// A task's wait for a descriptor, for a time, or for whichever comes first.
@safe final class Wait: @unchecked Sendable {
    // Unchecked: mutable state is accessed only on the loop's thread, to which `EventLoop` moves every call.
    enum Outcome {
        case ready(Readiness)
        case failed(EventLoopError.Code)
        case refused(EventLoopError)
    }

    private enum State {
        case fresh
        case waiting(Reactor)
        case ended
    }

    enum Subject {
        case descriptor(Int32, Readiness)
        /// A watch that exists before and after the wait.
        case watch(Watch)
    }

    let event: WorkLabel
    /// The outcome, valid after the end. A cancellation can end the wait before it starts.
    private(set) var outcome = Outcome.failed(.loopStopped)
    private let subject: Subject?
    private let deadline: Deadline
    private var state = State.fresh
    /// Resumed once, on the transition from `waiting` to `ended`. Unsafe, because a checked one is copied through the
    /// runtime at each step.
    private var continuation: UnsafeContinuation<Bool, Never>?
    private var watch: Watch?
    private var timer: TimerToken?

    init(_ event: WorkLabel, for subject: Subject?, until deadline: Deadline) {
        self.event = event
        self.subject = subject
        self.deadline = deadline
    }

    /// Starts the wait. The continuation receives true if `outcome` is valid.
    func start(_ continuation: UnsafeContinuation<Bool, Never>, in reactor: Reactor) {
        if case .ended = state { return unsafe continuation.resume(returning: true) }
        state = .waiting(reactor)
        unsafe self.continuation = continuation
        guard !reactor.isStopped else { return end(.failed(.loopStopped)) }
        // Otherwise a descriptor that is always ready would always come first, and the deadline would never apply.
        guard subject == nil || deadline > .now else { return end(.failed(.deadlinePassed)) }
        do throws(EventLoopError) {
            switch subject {
            case .descriptor(let descriptor, let interest):
                watch = try reactor.watch(descriptor, for: interest, event: event, handler: .wait(self))
            case .watch(let watch):
                precondition(watch.waiting == nil, "only one task at a time can wait on a watch")
                try watch.resume()
                watch.waiting = self
            case nil: break
            }
            // A timer that never fires lets a stop find the sleep.
            if deadline != .never || subject == nil { timer = reactor.timers.insert(.wait(self), at: deadline) }
        } catch {
            end(.refused(error))
        }
    }

    /// Releases the registrations and resumes the task. Only the first call has an effect.
    func end(_ outcome: Outcome) {
        if case .ended = state { return }
        self.outcome = outcome
        defer { state = .ended }
        guard case .waiting(let reactor) = state else { return }
        watch?.cancel()
        watch = nil
        if case .watch(let watch) = subject, watch.waiting === self { watch.waiting = nil }
        if let timer { _ = reactor.timers.remove(timer) }
        unsafe continuation?.resume(returning: true)
    }
}
