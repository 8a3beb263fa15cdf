import EventLoop
import Host
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct StopTests {
    @Test("A stop under load runs every accepted call and refuses the rest")
    func load() async throws {
        let loop = try EventLoop(name: "test")
        let ran = Log<Int>()
        let accepted = await withTaskGroup(of: [Int].self) { group in
            for thread in 0..<4 {
                group.addTask {
                    await Self.submit(from: thread * 10_000_000, to: loop) { number in
                        ran.add(number)
                        if number % 10_000_000 == 1000 { loop.requestStop() }
                    }
                }
            }
            return await group.reduce([], +)
        }
        await loop.stop()
        #expect(accepted.count >= 1000)
        #expect(ran.entries.sorted() == accepted.sorted())
    }

    /// Submits increasing numbers until the event loop refuses one, and returns the accepted ones.
    private static func submit(from start: Int, to loop: EventLoop, _ body: @escaping @Sendable (Int) -> Void) async -> [Int] {
        var next = start
        do throws(EventLoopError) {
            while true {
                let number = next
                try loop.submit(named: "test") { body(number) }
                next += 1
                if next.isMultiple(of: 100) { await Task.yield() }
            }
        } catch {
            #expect(error.code == .loopStopped)
        }
        return Array(start..<next)
    }

    @Test("A stop under load lets every task on the event loop finish")
    func tasks() async throws {
        let loop = try EventLoop(name: "test")
        let ended = Log<Int>()
        let tasks = (0..<1000).map { index in
            Task(executorPreference: loop) {
                for _ in 0..<20 { await Task.yield() }
                ended.add(index)
            }
        }
        await loop.stop()
        #expect(ended.entries.count == 1000)
        for task in tasks { await task.value }
    }

    @Test("A stop ends every wait with an error, and runs the work that the tasks still enqueue")
    func waits() async throws {
        let loop = try EventLoop(name: "test")
        let pair = try SocketPair()
        let number = pair.near.number
        let tasks = (0..<100).map { index in
            Task(executorPreference: loop) {
                await expectEnd(.loopStopped) { () throws(EventLoopError) in
                    if index.isMultiple(of: 2) {
                        try await loop.wait(for: .readable, on: number, until: .never)
                    } else {
                        try await loop.sleep(until: .after(.seconds(3600)))
                    }
                }
                for _ in 0..<10 { await Task.yield() }
                await expectEnd(.loopStopped) { () throws(EventLoopError) in try await loop.sleep(until: .now) }
                #expect(throws: EventLoopError.self) { _ = try loop.watch(number, for: .readable, named: "late") { _ in } }
            }
        }
        await loop.stop()
        for task in tasks { await task.value }
        #expect(throws: EventLoopError.self) { try loop.submit(named: "late") {} }
    }

    @Test("Several calls to stop all return")
    func twice() async throws {
        let loop = try EventLoop(name: "test")
        async let first: Void = loop.stop()
        async let second: Void = loop.stop()
        _ = await (first, second)
        await loop.stop()
    }

    @Test("A stopped event loop releases its callbacks and itself")
    func release() async throws {
        final class Owner: Sendable {}
        weak var owner: Owner?
        weak var weakLoop: EventLoop?
        do {
            let loop = try EventLoop(name: "test")
            let captured = Owner()
            let pair = try SocketPair()
            let number = pair.near.number
            try await loop.run {
                _ = try loop.watch(number, for: .readable, named: "test") { _ in _ = captured }
                _ = try loop.schedule(at: .after(.seconds(3600)), named: "test") { _ = captured }
            }
            owner = captured
            weakLoop = loop
            #expect(owner != nil)
            await loop.stop()
        }
        #expect(owner == nil)
        await wait(while: weakLoop != nil)
    }

    @Test("A job for a stopped event loop ends the process with a message that names the loop", .onOwnThread)
    func lateJob() throws {
        let (text, status) = try BuiltProgram.runScenario("late-job")
        #expect(text.contains("the event loop web-0 stopped before a task that prefers it ended"))
        #expect("\(status)".hasPrefix("signal"))
    }

    @Test("A group runs each event loop on a separate thread and stops all of them")
    func group() async throws {
        let group = try EventLoopGroup(name: "test", count: 3)
        var threads: Set<Thread.ID> = []
        for loop in group.loops { threads.insert(try await loop.run { Thread.current }) }
        #expect(threads.count == 3)
        #expect(group.loops.map(\.name) == ["test-0", "test-1", "test-2"])
        await group.stop()
        for loop in group.loops { #expect(throws: EventLoopError.self) { try loop.submit(named: "late") {} } }
    }

    @Test("A stop ends a sleep without a deadline")
    func endlessSleep() async throws {
        let loop = try EventLoop(name: "test")
        let asleep = Log<Void>()
        let task = Task(executorPreference: loop) {
            asleep.add(())
            await expectEnd(.loopStopped) { () throws(EventLoopError) in try await loop.sleep(until: .never) }
        }
        await wait(while: asleep.entries.isEmpty)
        await loop.stop()
        await task.value
    }

    @Test("A timer that a stop has discarded can no longer be moved or canceled")
    func droppedTimers() async throws {
        let loop = try EventLoop(name: "test")
        let task = Task(executorPreference: loop) {
            let timers = [try loop.schedule(at: .never, named: "test") {}, try loop.schedule(at: .never, named: "test") {}]
            await expectEnd(.loopStopped) { () throws(EventLoopError) in try await loop.sleep(until: .never) }
            for timer in timers { #expect(!loop.move(timer, to: .now) && !loop.cancel(timer)) }
            #expect(loop.registrations == (0, 0))
        }
        try await wait(while: try await !loop.run({ loop.registrations == (0, 3) }))
        await loop.stop()
        try await task.value
    }

    /// Cancels its timers when it is released, like a closing connection.
    private final class Canceller {
        let loop: EventLoop
        var timers: [TimerToken] = []

        init(loop: EventLoop) { self.loop = loop }

        deinit { for timer in timers { loop.cancel(timer) } }
    }

    @Test("An object that a stop releases may use the event loop during its release")
    func releaseOnTheLoop() async throws {
        let loop = try EventLoop(name: "test")
        try await loop.run {
            let canceller = Canceller(loop: loop)
            for _ in 0..<3 { canceller.timers.append(try loop.schedule(at: .never, named: "test") { _ = canceller }) }
        }
        await loop.stop()
    }
}
