import EventLoop
import Host
import Testing

@Suite("Timers and deadlines in virtual time")
struct TimerSimulationTests {
    @Test("A sleep ends at its deadline or at its cancellation, and never early")
    func sleeps() async throws {
        try await ScenarioSeeds.play("sleeps") { stage in
            await withTaskGroup { group in
                for _ in 0..<stage.chance.number(in: 1...20) {
                    let length = stage.chance.duration(upTo: .milliseconds(100))
                    let timeout = stage.chance.duration(upTo: .milliseconds(100))
                    group.addTask(executorPreference: stage.loop) { await Self.sleep(length, timeout, stage) }
                }
            }
        }
    }

    /// Sleeps, and is canceled when the timeout is over.
    private static func sleep(_ length: Duration, _ timeout: Duration, _ stage: Stage) async {
        let sleeper = Task(executorPreference: stage.loop) { () -> EventLoopError.Code? in
            do throws(EventLoopError) {
                try await stage.loop.sleep(until: stage.start.advanced(by: length))
                return nil
            } catch { return error.code }
        }
        let canceller = Task(executorPreference: stage.loop) {
            await stage.sleepAnyhow(timeout)
            sleeper.cancel()
        }
        let code = await sleeper.value
        let end = stage.elapsed
        switch code {
        case nil: stage.expect(end >= length && end <= length + Simulation.lateness, "a sleep of \(length) ended")
        case .cancelled: stage.expect(end >= timeout && end <= timeout + Simulation.lateness, "cancelled at \(timeout)")
        default: stage.fail("\(String(describing: code))")
        }
        stage.expect(code == nil || timeout <= length + Simulation.lateness, "cancelled though the sleep was over")
        await canceller.value
    }

    private struct Timer {
        var deadline: Deadline
        /// The number of the last insertion or move.
        var order: Int
        var token: TimerToken?
    }

    /// Accessed only on the thread of the event loop, like the callbacks.
    private final class Timers: @unchecked Sendable {
        var waiting: [Int: Timer] = [:]
        var latest: Timer?
        var count = 0
    }

    @Test("Callbacks run in the order of their deadlines, each once, and not after a cancellation")
    func callbacks() async throws {
        try await ScenarioSeeds.play("callbacks") { stage in
            let timers = Timers()
            for number in 0..<stage.chance.number(in: 1...60) {
                try Self.change(timers, stage)
                try Self.add(number, to: timers, stage)
                if stage.chance.happens(1, in: 4) { try await stage.sleep(upTo: .milliseconds(20)) }
            }
            try await stage.sleep(.milliseconds(120))
            stage.expect(timers.waiting.isEmpty, "\(timers.waiting.count) timers have not fired")
        }
    }

    private static func add(_ number: Int, to timers: Timers, _ stage: Stage) throws {
        let deadline = Deadline.after(stage.chance.duration(upTo: .milliseconds(100)))
        timers.count += 1
        timers.waiting[number] = Timer(deadline: deadline, order: timers.count)
        timers.waiting[number]?.token = try stage.loop.schedule(at: deadline, named: "test") {
            guard let timer = timers.waiting.removeValue(forKey: number) else { return stage.fail("a timer that is gone has fired") }
            stage.expect(timer.deadline <= .now, "a timer is early")
            stage.expect(Deadline.now <= timer.deadline.advanced(by: Simulation.lateness), "a timer is late")
            if let latest = timers.latest {
                let isLater = (latest.deadline, latest.order) < (timer.deadline, timer.order)
                stage.expect(isLater, "timers fired in another order than they were due")
            }
            timers.latest = timer
        }
    }

    /// Moves or cancels one of the waiting timers.
    private static func change(_ timers: Timers, _ stage: Stage) throws {
        guard stage.chance.happens(1, in: 3), let number = timers.waiting.keys.sorted().first,
            let token = timers.waiting[number]?.token
        else { return }
        if stage.chance.happens(1, in: 2) {
            stage.expect(stage.loop.cancel(token), "a timer cannot be cancelled")
            timers.waiting[number] = nil
        } else {
            let deadline = Deadline.after(stage.chance.duration(upTo: .milliseconds(100)))
            stage.expect(stage.loop.move(token, to: deadline), "a timer cannot be moved")
            timers.count += 1
            timers.waiting[number]?.deadline = deadline
            timers.waiting[number]?.order = timers.count
        }
    }
}
