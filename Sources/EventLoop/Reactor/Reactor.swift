internal import CEvent
internal import Host

/// The part of a loop that only its thread accesses: libevent's base, the watches and the timers.
@safe final class Reactor {
    enum TimerAction {
        case wait(Wait)
        case call(WorkLabel, () -> Void)
    }

    let base: OpaquePointer
    let attention: StallDetector
    var timers = TimerQueue<TimerAction>()
    private(set) var watches = WatchList()
    private(set) var isStopped = false
    /// The queued work of the loop.
    var queue = WorkQueue()
    /// The closure that runs the work that an event enqueued. The loop sets it before it starts.
    var afterEvent: () -> Void = {}
    /// The tick of the coarse clock in which the first event of a poll was handled.
    private var turn: Int64?
    private let alarm: Descriptor
    private var alarmedFor: Deadline?
    private var due: [TimerToken] = []
    private var ownWatches: [Watch] = []

    init(attention: StallDetector) throws(HostError) {
        let number = cevent_alarm_open()
        guard number >= 0 else { throw HostError(errnoOf: "open", "a timerfd") }
        alarm = Descriptor(owning: number)
        self.attention = attention
        guard let base = unsafe cevent_base_new() else { throw HostError(errnoOf: "open", "an event base") }
        unsafe self.base = base
    }

    deinit { unsafe cevent_base_free(base) }

    /// Watches the loop's own descriptors: one for wake-ups, and one for the next timer.
    func start(wakeup: Int32) throws(EventLoopError) {
        let wakeUp = Watch(wakeup, for: .readable, isEdge: true, event: "wake-up", reactor: self, handler: .callback { _ in })
        let ring = Watch(
            alarm.number, for: .readable, isEdge: true, event: "timer", reactor: self,
            handler: .callback { [unowned self] _ in fireTimers() })
        ownWatches = [wakeUp, ring]
        do throws(EventLoopError) {
            for watch in ownWatches { try watch.resume() }
        } catch {
            stop()
            throw error
        }
    }

    /// Handles the ready events. Waits for one if `isIdle`.
    func poll(isIdle: Bool) {
        setAlarm()
        turn = nil
        MonotonicClock.endEvents()
        unsafe cevent_base_poll(base, isIdle ? 1 : 0)
    }

    /// Handles the ready events and the timers due by a simulated clock, without waiting. Returns whether it handled
    /// anything.
    func pollInSimulation() -> Bool {
        turn = nil
        if watches.count > 0 { unsafe cevent_base_poll(base, 0) }
        fireTimers()
        return turn != nil
    }

    /// Handles an event. Within the first tick of a poll, its follow-up work runs immediately. Later it stays queued,
    /// so that timers and other threads are not delayed. An event starts at the end of the previous one of its poll.
    func handle(_ event: WorkLabel, _ body: () -> Void) {
        if turn == nil { attention.start(event) } else { attention.resume(with: event) }
        let turn = self.turn ?? attention.latest
        self.turn = turn
        body()
        attention.end()
        if !queue.isEmpty, attention.latest == turn { afterEvent() }
    }

    func watch(_ descriptor: Int32, for interest: Readiness, event: WorkLabel, handler: Watch.Handler) throws(EventLoopError) -> Watch {
        guard !isStopped else { throw EventLoopError(.loopStopped, event) }
        guard watches.hasRoom(for: descriptor) || isOpen(descriptor) else {
            throw EventLoopError(.system, event, cause: HostError(errnoOf: "watch", "descriptor \(descriptor)"))
        }
        let watch = Watch(descriptor, for: interest, event: event, reactor: self, handler: handler)
        try watch.resume()
        watches.insert(watch)
        return watch
    }

    func forget(_ watch: Watch) { watches.remove(watch) }

    /// Ends all waits for a descriptor that is about to be closed.
    func abandon(_ descriptor: Int32) {
        for watch in watches[descriptor] { end(watch, .descriptorClosed) }
    }

    /// Ends all waits. Callbacks and timers are dropped without a call.
    func stop() {
        isStopped = true
        for watch in watches.all { end(watch, .loopStopped) }
        for case .wait(let wait) in timers.removeAll() { wait.end(.failed(.loopStopped)) }
        for watch in ownWatches { watch.cancel() }
        ownWatches = []
    }

    private func end(_ watch: Watch, _ code: EventLoopError.Code) {
        if case .wait(let wait) = watch.handler { wait.end(.failed(code)) }
        watch.waiting?.end(.failed(code))
        watch.cancel()
    }

    /// Returns whether a descriptor is open. libevent takes a negative number for a timer, and allocates a table up to
    /// the highest number.
    private func isOpen(_ descriptor: Int32) -> Bool { cevent_is_open(descriptor) != 0 }

    private func setAlarm() {
        guard let earliest = timers.earliest, earliest != .never else { return }
        if let alarmedFor, alarmedFor <= earliest { return }
        alarmedFor = earliest
        _ = cevent_alarm_set(alarm.number, max(1, earliest.nanoseconds))
    }

    private func fireTimers() {
        alarmedFor = nil
        timers.collectDue(.now, into: &due)
        for token in due {
            switch timers.remove(token) {
            case .wait(let wait): handle(wait.event) { wait.end(.failed(.deadlinePassed)) }
            case .call(let event, let body): handle(event, body)
            case nil: break
            }
        }
        due.removeAll(keepingCapacity: true)
    }
}

/// The watches of a loop, indexed by descriptor, which is a small number. The watches of one descriptor form a list, so that
/// the usual single watch needs no array.
struct WatchList {
    private var first: [Watch?] = []
    private(set) var count = 0

    var all: [Watch] { first.indices.flatMap { self[Int32(truncatingIfNeeded: $0)] } }

    /// Returns whether the list has an entry for this descriptor, because one with a number at least as high was
    /// watched before.
    func hasRoom(for descriptor: Int32) -> Bool { first.indices.contains(Int(descriptor)) }

    subscript(descriptor: Int32) -> [Watch] {
        guard hasRoom(for: descriptor), let first = first[Int(descriptor)] else { return [] }
        return Array(sequence(first: first, next: \.next))
    }

    mutating func insert(_ watch: Watch) {
        let index = Int(watch.descriptor)
        while index >= first.count { first.append(nil) }
        watch.next = first[index]
        first[index] = watch
        count += 1
    }

    mutating func remove(_ watch: Watch) {
        guard hasRoom(for: watch.descriptor) else { return }
        let index = Int(watch.descriptor)
        if first[index] === watch {
            first[index] = watch.next
        } else {
            guard let previous = self[watch.descriptor].first(where: { $0.next === watch }) else { return }
            previous.next = watch.next
        }
        watch.next = nil
        count -= 1
    }
}
