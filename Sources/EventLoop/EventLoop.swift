internal import CEvent
internal import Host
internal import Synchronization

/// A thread that runs tasks and waits for descriptors, timers and signals in turn: one for each core.
///
/// A task that prefers the loop (`Task(executorPreference: loop)`), its child tasks, and an actor with the loop as its executor stay on the
/// loop's thread across every suspension. A loop lives until it is stopped, whoever refers to it.
///
/// A job that is enqueued after the end of `stop` ends the process: no other thread may run it and nobody would ever know of it
/// otherwise. Tasks therefore end before the loop that they prefer.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Unchecked: `reactor` and `queue` are touched by the loop's thread alone, the rest is constant or locked.
    private static let jobsInATurn = 128

    package let name: String
    let inbox: Inbox
    private let thread = Atomic<UInt>(0)
    private let confined: Reactor
    var queue = WorkQueue()

    /// Starts the thread.
    ///
    /// `observer` is told, on the loop's thread, of each event that took longer than `threshold`.
    package convenience init(
        name: String, threshold: Duration = .milliseconds(50), observer: @escaping @Sendable (EventLoopStall) -> Void = { _ in }
    ) throws(EventLoopError) {
        try self.init(unstarted: name, threshold: threshold, observer: observer)
        confined.afterEvent = { [unowned self] in runQueue() }
        do throws(HostError) {
            try Thread.start { self.run() }
        } catch {
            confined.stop()
            throw EventLoopError(.system, "start a loop", cause: error)
        }
    }

    /// Without a thread, and without a turn of the queue after each event: a simulation takes care of both.
    init(unstarted name: String, threshold: Duration, observer: @escaping @Sendable (EventLoopStall) -> Void) throws(EventLoopError) {
        self.name = name
        do throws(HostError) {
            inbox = try Inbox()
            confined = try Reactor(attention: StallDetector(loop: name, threshold: threshold, observer: observer))
        } catch {
            throw EventLoopError(.system, "start a loop", cause: error)
        }
        try confined.start(wakeup: inbox.wakeup.number)
    }

    package var isCurrent: Bool { thread.load(ordering: .relaxed) == Thread.current.rawValue }

    /// Stops waiting, runs what is queued and what that enqueues, and ends the thread.
    ///
    /// What waits is ended with `loopStopped`, callbacks and timers are dropped. Returns when the thread has let go of everything. Not to
    /// be called by a task that prefers this loop.
    package func stop() async {
        beginStop()
        await inbox.waitForEnd()
    }

    /// As `stop`, without waiting for the end.
    package func beginStop() { inbox.beginStop() }

    /// For a task that prefers the loop.
    package func enqueue(_ job: consuming ExecutorJob) { enqueue(.job(UnownedJob(job))) }

    /// For an actor with the loop as its executor. A task's work must not be taken for an actor's: whenever it returned from a call, it
    /// would be enqueued once more, to leave the actor that it never was on.
    @_implements(SerialExecutor,enqueue(_:))
    package func enqueueIsolated(_ job: consuming ExecutorJob) { enqueue(.isolatedJob(UnownedJob(job))) }

    private func enqueue(_ body: WorkItem.Body) {
        if isCurrent { return queue.append(WorkItem(body: body, event: confined.attention.event)) }
        guard inbox.put(WorkItem(body: body, event: "task")) else {
            fatalError("the event loop \(name) has stopped before a task that prefers it has ended")
        }
    }

    package func checkIsolated() { precondition(isCurrent, "not on the thread of the event loop \(name)") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    var reactor: Reactor {
        checkIsolated()
        return confined
    }

    /// Runs a call on the loop's thread: at once where that is the current one. False where the loop has stopped and it was dropped.
    func perform(_ event: WorkLabel, _ call: @escaping @Sendable () -> Void) -> Bool {
        guard !isCurrent else {
            call()
            return true
        }
        return inbox.put(WorkItem(body: .call(call), event: event))
    }

    /// Makes the calling thread the loop's, for as long as it runs what is queued.
    func beginRunning() { thread.store(Thread.current.rawValue, ordering: .relaxed) }

    /// Tells whoever waits for the end of `stop`.
    func endRunning() {
        thread.store(0, ordering: .relaxed)
        inbox.end()
    }

    private func run() {
        beginRunning()
        unsafe cevent_name_thread(name)
        var isStopping = false
        while true {
            if inbox.empty(into: &queue) == .stopping, !isStopping {
                isStopping = true
                confined.stop()
            }
            runQueue()
            if !isStopping {
                confined.poll(isIdle: queue.isEmpty && inbox.fallAsleep())
            } else if queue.isEmpty, inbox.close() {
                break
            }
        }
        endRunning()
    }

    /// Runs what is queued, but no more than a turn's worth: after so many jobs, or a tick of the clock, descriptors get their turn.
    ///
    /// Also after an event: what it leads to, such as the next query to a server that has answered, is on its way before the next event.
    private func runQueue() {
        var isTickOver = false
        var count = 0
        while !isTickOver, count < Self.jobsInATurn, let next = queue.popFirst() {
            if count == 0 { confined.attention.begin(next.event) } else { confined.attention.resume(with: next.event) }
            run(next)
            isTickOver = confined.attention.end() > 0
            count += 1
        }
    }

    func run(_ work: WorkItem) {
        switch work.body {
        case .job(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        case .isolatedJob(let job):
            unsafe job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .call(let call): call()
        }
    }
}
