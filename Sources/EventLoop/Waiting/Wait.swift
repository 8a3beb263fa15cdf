/// One task's wait for a descriptor, for a time, or for whichever comes first.
@safe final class Wait: @unchecked Sendable {
    // Unchecked: what varies is touched on the loop's thread alone, where `EventLoop` brings every call.
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
        /// One that is there before the wait and after it.
        case watch(Watch)
    }

    let event: WorkLabel
    /// Once it has ended, which may be before it began where it was cancelled early.
    private(set) var outcome = Outcome.failed(.loopStopped)
    private let subject: Subject?
    private let deadline: Deadline
    private var state = State.fresh
    /// Resumed once, on the way from `waiting` to `ended`. A checked one is copied through the runtime at each of these steps.
    private var continuation: UnsafeContinuation<Bool, Never>?
    private var watch: Watch?
    private var timer: TimerToken?

    init(_ event: WorkLabel, for subject: Subject?, until deadline: Deadline) {
        self.event = event
        self.subject = subject
        self.deadline = deadline
    }

    /// The continuation gets true once `outcome` may be read.
    func begin(_ continuation: UnsafeContinuation<Bool, Never>, in reactor: Reactor) {
        if case .ended = state { return unsafe continuation.resume(returning: true) }
        state = .waiting(reactor)
        unsafe self.continuation = continuation
        guard !reactor.isStopped else { return end(.failed(.loopStopped)) }
        // Else a descriptor that is always ready would come first each time, and the deadline never.
        guard subject == nil || deadline > .now else { return end(.failed(.deadlinePassed)) }
        do throws(EventLoopError) {
            switch subject {
            case .descriptor(let descriptor, let interest):
                watch = try reactor.watch(descriptor, for: interest, event: event, handler: .wait(self))
            case .watch(let watch):
                precondition(watch.waiting == nil, "one task at a time waits by a watch")
                try watch.resume()
                watch.waiting = self
            case nil: break
            }
            // A timer that never fires is what a stop finds a sleep by.
            if deadline != .never || subject == nil { timer = reactor.timers.insert(.wait(self), at: deadline) }
        } catch {
            end(.refused(error))
        }
    }

    /// Frees what was registered and lets the task go on. All but the first end is ignored.
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
