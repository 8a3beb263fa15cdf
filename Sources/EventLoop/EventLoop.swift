internal import CEvent
internal import Host
internal import Synchronization

/// A thread that runs tasks and waits for descriptors, timers and signals. Usually there is one for each core.
///
/// A task that prefers the loop (`Task(executorPreference: loop)`) and its child tasks stay on the loop's thread across
/// every suspension. So does an actor with the loop as its executor. A loop lives until it is stopped, even without
/// references to it.
///
/// A job that is enqueued after the end of `stop` terminates the process: no other thread may run it, and it would be
/// lost silently. Tasks must therefore end before the loop that they prefer.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    // Unchecked: `reactor` is accessed only on the loop's thread. The rest is constant or locked.
    private static let jobsInATurn = 128

    package let name: String
    private let index: Int
    let inbox: Inbox
    private let thread = Atomic<UInt>(0)
    private let confined: Reactor

    /// Creates a loop and starts its thread.
    ///
    /// `index` is its position in its group. `observer` is called on the loop's thread for each event that took longer than
    /// `threshold`.
    package convenience init(
        name: String, index: Int = 0, threshold: Duration = .milliseconds(50),
        observer: @escaping @Sendable (EventLoopStall) -> Void = { _ in }
    ) throws(EventLoopError) {
        try self.init(unstarted: name, index: index, threshold: threshold, observer: observer)
        // Unsafe, because it is called for each event: the reactor handles events only during `run`, whose thread retains the loop.
        confined.afterEvent = { [unowned(unsafe) self] in unsafe runQueue(isAfterEvent: true) }
        do throws(HostError) {
            try Thread.start { self.run() }
        } catch {
            confined.stop()
            throw EventLoopError(.system, "start an event loop", cause: error)
        }
    }

    /// Creates a loop without a thread that does not run the queue after each event. A simulation does both.
    init(
        unstarted name: String, index: Int = 0, threshold: Duration, observer: @escaping @Sendable (EventLoopStall) -> Void
    ) throws(EventLoopError) {
        self.name = name
        self.index = index
        do throws(HostError) {
            inbox = try Inbox()
            confined = try Reactor(attention: StallDetector(loop: name, threshold: threshold, observer: observer))
        } catch {
            throw EventLoopError(.system, "start an event loop", cause: error)
        }
        try confined.start(wakeup: inbox.wakeup.number)
    }

    package var isCurrent: Bool { thread.load(ordering: .relaxed) == Thread.current.rawValue }

    /// Stops waiting, runs the queued work and the work that it enqueues, and ends the thread.
    ///
    /// Waits end with `loopStopped`. Callbacks and timers are dropped. Returns when the thread has released everything.
    /// Do not call it from a task that prefers this loop.
    package func stop() async {
        requestStop()
        await inbox.waitForEnd()
    }

    /// Starts a stop like `stop`, without waiting for its end.
    package func requestStop() { inbox.requestStop() }

    /// Enqueues a job of a task that prefers the loop.
    package func enqueue(_ job: consuming ExecutorJob) { enqueue(.job(UnownedJob(job))) }

    /// Enqueues a job of an actor whose executor is the loop. A task's job must not be run as an actor's. Otherwise,
    /// after each call it would be enqueued again to leave an actor that it was never on.
    @_implements(SerialExecutor,enqueue(_:))
    package func enqueueIsolated(_ job: consuming ExecutorJob) { enqueue(.isolatedJob(UnownedJob(job))) }

    private func enqueue(_ body: WorkItem.Body) {
        if isCurrent { return confined.queue.append(WorkItem(body: body, event: confined.attention.event)) }
        guard inbox.insert(WorkItem(body: body, event: "task")) else {
            fatalError("the event loop \(name) stopped before a task that prefers it ended")
        }
    }

    /// The position of the current thread's loop in its group, so that loops can use different locks. 0 on other threads.
    package static var currentIndex: Int { Int(cevent_loop_index()) }

    package func checkIsolated() { precondition(isCurrent, "not on the thread of the event loop \(name)") }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    var reactor: Reactor {
        checkIsolated()
        return confined
    }

    /// Runs a call on the loop's thread, immediately if it is the current one. Returns false if the loop has stopped
    /// and the call is dropped.
    func perform(_ event: WorkLabel, _ call: @escaping @Sendable () -> Void) -> Bool {
        guard !isCurrent else {
            call()
            return true
        }
        return inbox.insert(WorkItem(body: .call(call), event: event))
    }

    /// Makes the calling thread the loop's thread until `endRunning`.
    func markRunning() { thread.store(Thread.current.rawValue, ordering: .relaxed) }

    /// Resumes the callers of `stop`.
    func endRunning() {
        thread.store(0, ordering: .relaxed)
        inbox.end()
    }

    private func run() {
        markRunning()
        cevent_set_loop_index(Int32(clamping: index))
        unsafe cevent_name_thread(name)
        var isStopping = false
        while true {
            if inbox.empty(into: &confined.queue) == .stopping, !isStopping {
                isStopping = true
                confined.stop()
            }
            runQueue(isAfterEvent: false)
            if !isStopping {
                confined.poll(isIdle: confined.queue.isEmpty && inbox.fallAsleep())
            } else if confined.queue.isEmpty, inbox.close() {
                break
            }
        }
        endRunning()
    }

    /// Runs queued work for one turn. After a limited number of jobs or a clock tick, descriptors are polled again.
    ///
    /// It also runs after each event, so that follow-up work, such as the next query after a response, starts before
    /// the next event. Its first work then starts at the end of that event, which avoids reading the clock.
    private func runQueue(isAfterEvent: Bool) {
        var isTickOver = false
        var count = 0
        while !isTickOver, count < Self.jobsInATurn, let next = confined.queue.popFirst() {
            if count == 0, !isAfterEvent { confined.attention.start(next.event) } else { confined.attention.resume(with: next.event) }
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
