internal import CEvent
import Host

/// Where other threads leave work for the loop: one lock for a whole batch, and one wake-up for as much as comes while the loop sleeps.
final class Inbox: Sendable {
    /// Each leads to the next and none back.
    enum Phase: Sendable { case running, stopping, stopped, ended }

    private struct State {
        var work: [WorkItem?] = []
        var isLoopAsleep = false
        var phase = Phase.running
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []

        func accepts(_ body: WorkItem.Body) -> Bool {
            switch body {
            case .job, .isolatedJob: phase == .running || phase == .stopping
            case .call: phase == .running
            }
        }

        mutating func wakesLoop() -> Bool {
            defer { isLoopAsleep = false }
            return isLoopAsleep
        }
    }

    /// Readable, by an edge, whenever the loop is to wake up. Closed with the inbox and not with the loop, as a late waker may still write.
    let wakeup: Descriptor
    private let state = Locked(State())

    init() throws(HostError) {
        let number = cevent_wakeup_open()
        guard number >= 0 else { throw HostError(errnoOf: "open", "an eventfd") }
        wakeup = Descriptor(owning: number)
    }

    /// False, with the work untouched, once the loop has stopped; a call is refused from the beginning of the stop, so that it has an end.
    func put(_ work: WorkItem) -> Bool {
        let (isAccepted, wakes) = state.withLock { state in
            guard state.accepts(work.body) else { return (false, false) }
            state.work.append(work)
            return (true, state.wakesLoop())
        }
        if wakes { cevent_wakeup_send(wakeup.number) }
        return isAccepted
    }

    func beginStop() {
        let wakes = state.withLock { state in
            if state.phase == .running { state.phase = .stopping }
            return state.wakesLoop()
        }
        if wakes { cevent_wakeup_send(wakeup.number) }
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.phase != .ended { state.waitingForEnd.append(continuation) }
                return state.phase == .ended
            }
            if hasEnded { continuation.resume() }
        }
    }
}

// The loop's own side.
extension Inbox {
    func empty(into queue: inout WorkQueue) -> Phase {
        state.withLock { state in
            state.isLoopAsleep = false
            if !state.work.isEmpty { queue.append(contentsOf: &state.work) }
            return state.phase
        }
    }

    /// Whether the loop may block: what comes from now on wakes it.
    func fallAsleep() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.work.isEmpty && state.phase == .running
            return state.isLoopAsleep
        }
    }

    /// Whether nothing was left, so that nothing is accepted from now on.
    func close() -> Bool {
        state.withLock { state in
            if state.work.isEmpty { state.phase = .stopped }
            return state.work.isEmpty
        }
    }

    func end() {
        let waiting = state.withLock { state in
            state.phase = .ended
            defer { state.waitingForEnd = [] }
            return state.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}
