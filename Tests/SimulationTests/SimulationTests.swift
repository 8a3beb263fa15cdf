import EventLoop
import Host
import Testing

@Suite("The simulation of an event loop")
struct SimulationTests {
    /// A scenario of tasks that sleep, cancel each other and note what they do.
    private static let restless: Scenario = { stage in
        await withTaskGroup { group in
            for name in 0..<8 {
                group.addTask(executorPreference: stage.loop) {
                    do {
                        for _ in 0..<5 {
                            try await stage.sleep(upTo: .seconds(1))
                            stage.note("\(name)")
                        }
                    } catch { stage.note("\(name): \(error)") }
                }
            }
            do { try await stage.sleep(upTo: .seconds(3)) } catch {}
            group.cancelAll()
        }
    }

    @Test("Equal seeds run the same steps, and another seed runs other steps")
    func repeats() throws {
        let runs = try [1, 2, 3, 1, 2, 3].map { try Simulation.run(seed: $0, longest: .seconds(10), Self.restless) }
        #expect(runs[0].issues.isEmpty && runs[0].notes.count > 10 && runs[0].steps > 40)
        #expect(Array(runs[..<3]) == Array(runs[3...]))
        #expect(runs[0].trace != runs[1].trace && runs[0].notes != runs[1].notes)
    }

    @Test("Days pass in no time, and the system clock is restored at the end")
    func passes() throws {
        let before = Deadline.now
        let run = try Simulation.run(seed: 1, longest: .seconds(86_400 * 3)) { stage in
            try await stage.sleep(.seconds(86_400 * 2))
            stage.note("there")
            let late = stage.elapsed - .seconds(86_400 * 2)
            stage.expect(late >= .zero && late <= Simulation.lateness, "late by \(late)")
        }
        #expect(run.issues.isEmpty && run.notes.count == 1)
        #expect(Deadline.now.duration(since: before) < .seconds(3_600) && Deadline.now >= before)
    }

    @Test("A simulation reports a task that is never woken, one that never ends, and a leftover timer")
    func notices() throws {
        let lost = try Simulation.run(seed: 1, longest: .seconds(10)) { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        #expect(lost.issues == ["something waits for what never comes"])
        let endless = try Simulation.run(seed: 1, longest: .seconds(10)) { stage in while true { try await stage.sleep(.seconds(1)) } }
        #expect(endless.issues.contains("it has not ended after 10.0 seconds"))
        let left = try Simulation.run(seed: 1, longest: .seconds(10)) { stage in
            _ = try stage.loop.schedule(at: .after(.seconds(1)), named: "left") {}
        }
        #expect(left.issues == ["after 0.0 seconds: 1 timers and 0 descriptors are left"])
    }

    @Test("A simulation reports a task that another thread resumes")
    func escapes() throws {
        let run = try Simulation.run(seed: 1, longest: .seconds(10)) { stage in
            let waiting = Locked<UnsafeContinuation<Void, Never>?>(nil)
            async let other: Void = stage.sleepAnyhow(.seconds(1))
            let task = Task(executorPreference: stage.loop) {
                await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
            }
            await other
            let hasArrived = BlockingPromise<Void>()
            try Thread.start {
                waiting.withLock { $0 }?.resume()
                hasArrived.fulfill(())
            }
            hasArrived.wait()
            await task.value
        }
        #expect(run.issues == ["a task went on from another thread"])
    }
}
