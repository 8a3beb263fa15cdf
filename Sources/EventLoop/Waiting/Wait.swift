internal import Host

/// One task's wait for a descriptor, for a time, or for whichever comes first.
final class Wait: @unchecked Sendable {
    // Unchecked: what varies is touched on the loop's thread alone, where `EventLoop` brings every call.
    enum Outcome {
        case ready(Readiness)
        case failed(EventLoopError.Code)
        case refused(EventLoopError)
    }

    private enum State {
        case fresh
        case waiting(CheckedContinuation<Outcome, Never>, Reactor)
        /// Before it began, where it was cancelled early.
        case ended(Outcome)
    }

    struct Subject {
        let descriptor: Int32
        let interest: Readiness
    }

    let event: EventName
    private let subject: Subject?
    private let deadline: Deadline
    private var state = State.fresh
    private var watch: Watch?
    private var timer: TimerToken?

    init(_ event: EventName, for subject: Subject?, until deadline: Deadline) {
        self.event = event
        self.subject = subject
        self.deadline = deadline
    }

    func begin(_ continuation: CheckedContinuation<Outcome, Never>, in reactor: Reactor) {
        if case .ended(let outcome) = state { return continuation.resume(returning: outcome) }
        state = .waiting(continuation, reactor)
        guard !reactor.isStopped else { return end(.failed(.loopStopped)) }
        // Else a descriptor that is always ready would come first each time, and the deadline never.
        guard subject == nil || deadline > .now else { return end(.failed(.deadlinePassed)) }
        do throws(EventLoopError) {
            if let subject {
                watch = try reactor.watch(subject.descriptor, for: subject.interest, event: event, handler: .wait(self))
            }
            // A timer that never fires is what a stop finds a sleep by.
            if deadline != .never || subject == nil { timer = reactor.timers.insert(.wait(self), at: deadline) }
        } catch {
            end(.refused(error))
        }
    }

    /// Frees what was registered and lets the task go on. All but the first end is ignored.
    func end(_ outcome: Outcome) {
        switch state {
        case .fresh: state = .ended(outcome)
        case .ended: break
        case .waiting(let continuation, let reactor):
            state = .ended(outcome)
            watch?.cancel()
            watch = nil
            if let timer { _ = reactor.timers.remove(timer) }
            continuation.resume(returning: outcome)
        }
    }
}
