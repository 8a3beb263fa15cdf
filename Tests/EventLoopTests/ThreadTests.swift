import EventLoop
import Host
import Testing

@Suite(.timeLimit(.minutes(5))) struct ThreadTests {
    private actor Counter {
        let loop: EventLoop
        private(set) var count = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(loop: EventLoop) { self.loop = loop }

        func increment() -> Bool {
            count += 1
            return loop.isCurrent
        }
    }

    @Test("The thread of each event loop of a group has its own index, and other threads have none")
    func indexes() async throws {
        let group = try EventLoopGroup(name: "test", count: 3)
        for (index, loop) in group.loops.enumerated() {
            #expect(await Task(executorPreference: loop) { EventLoop.currentIndex }.value == index)
        }
        await group.stop()
        #expect(EventLoop.currentIndex == 0)
    }

    @Test("A task on an event loop is on the loop's thread before and after every await")
    func awaits() async throws {
        try await withLoop { loop in
            let threads = try await loop.run {
                var threads: Set<Thread.ID> = [Thread.current]
                let pair = try SocketPair()
                pair.far.number.send()
                try await loop.wait(for: .readable, on: pair.near.number, until: .after(.seconds(30)))
                threads.insert(Thread.current)
                try await loop.sleep(until: .after(.milliseconds(1)))
                threads.insert(Thread.current)
                await Task.yield()
                threads.insert(Thread.current)
                await withCheckedContinuation { $0.resume() }
                threads.insert(Thread.current)
                return (threads, loop.isCurrent)
            }
            #expect(threads.0.count == 1)
            #expect(threads.1)
            #expect(!loop.isCurrent)
        }
    }

    @Test("Child tasks and task groups stay on the event loop of their parent")
    func children() async throws {
        try await withLoop { loop in
            let strays = try await loop.run {
                async let child = Self.isOnLoopThroughout(loop)
                let inGroup = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<100 { group.addTask { await Self.isOnLoopThroughout(loop) } }
                    return await group.reduce(into: 0) { $0 += $1 ? 0 : 1 }
                }
                return await inGroup + (child ? 0 : 1)
            }
            #expect(strays == 0)
        }
    }

    @Test("A task that returns from a call continues immediately, before other queued tasks")
    func calls() async throws {
        try await withLoop { loop in
            let log = Log<Int>()
            try await loop.run {
                let other = Task(executorPreference: loop) { log.add(3) }
                await Self.add(1, to: log)
                await Self.add(2, to: log)
                await other.value
            }
            #expect(log.entries == [1, 2, 3])
        }
    }

    @concurrent private static func add(_ number: Int, to log: Log<Int>) async { log.add(number) }

    @concurrent private static func isOnLoopThroughout(_ loop: EventLoop) async -> Bool {
        let before = loop.isCurrent
        await Task.yield()
        return before && loop.isCurrent
    }

    @Test("A task that another thread resumes returns to the event loop's thread")
    func foreignResumption() async throws {
        try await withLoop { loop in
            let isBack = try await loop.run {
                await withCheckedContinuation { continuation in
                    do {
                        try Thread.start { continuation.resume() }
                    } catch {
                        continuation.resume()
                        Issue.record(error)
                    }
                }
                return loop.isCurrent
            }
            #expect(isBack)
        }
    }

    @Test("An actor with an event loop as its executor runs on the loop's thread for any caller")
    func actors() async throws {
        try await withLoop { loop in
            let counter = Counter(loop: loop)
            let onLoop = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<1000 { group.addTask { await counter.increment() } }
                return await group.reduce(true) { $0 && $1 }
            }
            #expect(onLoop)
            #expect(await counter.count == 1000)
        }
    }

    @Test("Wake-ups from many threads at the same time are not lost")
    func contention() async throws {
        try await withLoop { loop in
            let log = Log<Int>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for thread in 0..<8 {
                    group.addTask {
                        for index in 0..<2000 { try loop.submit(named: "test") { log.add(thread * 2000 + index) } }
                    }
                }
                try await group.waitForAll()
            }
            try await loop.run {}
            let entries = log.entries
            #expect(entries.count == 16_000)
            for thread in 0..<8 {
                let own = entries.filter { $0 / 2000 == thread }
                #expect(own == own.sorted())
            }
        }
    }

    @Test("Jobs that enqueue jobs do not starve descriptors")
    func fairness() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let (near, far) = (pair.near.number, pair.far.number)
            try await loop.run {
                let spinning = Task(executorPreference: loop) { while !Task.isCancelled { await Task.yield() } }
                far.send()
                try await loop.wait(for: .readable, on: near, until: .after(.seconds(30)))
                spinning.cancel()
                await spinning.value
            }
        }
    }

    private final class Watched: Sendable {
        let pair: SocketPair
        init() throws { pair = try SocketPair() }
    }

    @Test("Many events with following work do not starve timers")
    func timersAmongEvents() async throws {
        try await withLoop(threshold: .seconds(60)) { loop in
            let sockets = try (0..<100).map { _ in try Watched() }
            let log = Log<String>()
            try await loop.run {
                let watches = try sockets.map { socket in
                    try loop.watch(socket.pair.near.number, for: .readable, named: "test") { _ in
                        _ = socket.pair.near.number.drain()
                        Task(executorPreference: loop) {
                            let end = Deadline.after(.milliseconds(3))
                            while Deadline.now < end {}
                            log.add("work")
                        }
                    }
                }
                for socket in sockets { socket.pair.far.number.send() }
                _ = try loop.schedule(at: .after(.milliseconds(10)), named: "test") { log.add("timer") }
                while log.entries.count < 101 { try await loop.sleep(until: .after(.milliseconds(1))) }
                for watch in watches { watch.cancel() }
            }
            // All of the work takes 300 ms.
            #expect(try #require(log.entries.firstIndex(of: "timer")) < 50)
        }
    }

    /// Resumes a task when it is released.
    private final class Farewell: Sendable {
        let log: Log<String>
        let continuation: CheckedContinuation<Void, Never>

        init(_ log: Log<String>, _ continuation: CheckedContinuation<Void, Never>) {
            self.log = log
            self.continuation = continuation
        }

        deinit {
            log.add("let go")
            continuation.resume()
        }
    }

    @Test("A call is released before the next one runs, and objects that it owns may use the event loop during their release")
    func release() async throws {
        try await withLoop { loop in
            let log = Log<String>()
            try await loop.run {
                await withCheckedContinuation { continuation in
                    Self.submitFromThread(["first", "second"], holding: Farewell(log, continuation), to: loop, log)
                }
            }
            #expect(log.entries == ["first", "let go", "second"])
        }
    }

    /// Submits calls from another thread, the first of which owns an object, and returns when the event loop has all of them.
    private static func submitFromThread(_ names: [String], holding farewell: consuming Farewell, to loop: EventLoop, _ log: Log<String>) {
        let submitted = Log<Void>()
        let held = Locked<Farewell?>(farewell)
        do throws(HostError) {
            try Thread.start {
                for name in names {
                    let farewell = held.withLock { $0.take() }
                    do throws(EventLoopError) {
                        try loop.submit(named: "test") { withExtendedLifetime(farewell) { log.add(name) } }
                    } catch {
                        Issue.record(error)
                    }
                }
                submitted.add(())
            }
        } catch {
            Issue.record(error)
        }
        while submitted.entries.isEmpty {}
    }
}
