internal import CEvent
import Host

/// A queue in which other threads submit work to the loop. It takes one lock per batch, and one wake-up while the loop
/// sleeps.
final class Inbox: Sendable {
    /// The phases, each of which leads only to the next.
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

    /// Becomes readable, edge-triggered, to wake up the loop. It is closed with the inbox instead of the loop, because
    /// a late caller may still write to it.
    let wakeup: Descriptor
    private let state = Locked(State())

    init() throws(HostError) {
        let number = cevent_wakeup_open()
        guard number >= 0 else { throw HostError(errnoOf: "open", "an eventfd") }
        wakeup = Descriptor(owning: number)
    }

    /// Adds work. Returns false after the loop has stopped. A call is rejected from the start of the stop, so that the
    /// stop ends.
    func insert(_ work: WorkItem) -> Bool {
        let (isAccepted, wakes) = state.withLock { state in
            guard state.accepts(work.body) else { return (false, false) }
            state.work.append(work)
            return (true, state.wakesLoop())
        }
        if wakes { cevent_wakeup_send(wakeup.number) }
        return isAccepted
    }

    func requestStop() {
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

// Methods for the loop's thread.
extension Inbox {
    func empty(into queue: inout WorkQueue) -> Phase {
        state.withLock { state in
            state.isLoopAsleep = false
            if !state.work.isEmpty { queue.append(contentsOf: &state.work) }
            return state.phase
        }
    }

    /// Returns whether the loop may block. If so, further work wakes it.
    func fallAsleep() -> Bool {
        state.withLock { state in
            state.isLoopAsleep = state.work.isEmpty && state.phase == .running
            return state.isLoopAsleep
        }
    }

    /// Returns whether the inbox was empty. If so, it accepts no further work.
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
