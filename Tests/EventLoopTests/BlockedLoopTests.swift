import EventLoop
import Host
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct BlockedLoopTests {
    @Test("A callback, a timer and a task that stall the event loop are reported by name and duration")
    func reports() async throws {
        let log = Log<EventLoopStall>()
        try await withLoop(threshold: .milliseconds(50), observer: log.add) { loop in
            let pair = try SocketPair()
            let (near, far) = (pair.near.number, pair.far.number)
            far.send()
            try await loop.run {
                _ = try loop.watch(near, for: .readable, named: "blocking callback") { _ in
                    Self.block()
                    _ = near.drain()
                }
                _ = try loop.schedule(at: .now, named: "blocking timer") { Self.block() }
                await wait(while: log.entries.count < 2)
                try await loop.sleep(until: .after(.milliseconds(1)), named: "blocking task")
                Self.block()
            }
        }
        // A busy machine may stall other work as well.
        #expect(Set(log.entries.map(\.event)).isSuperset(of: ["blocking callback", "blocking timer", "blocking task"]))
        #expect(log.entries.allSatisfy { $0.loop == "test" && $0.duration > .milliseconds(50) })
    }

    @Test("The observer of a stall may start a task on the event loop, such as one that writes the log")
    func observerUsesLoop() async throws {
        let box = Locked<EventLoop?>(nil)
        let log = Log<WorkLabel>()
        try await withLoop(
            threshold: .milliseconds(50),
            observer: { report in
                guard let loop = box.withLock({ $0 }) else { return }
                Task(executorPreference: loop) { log.add(report.event) }
            },
            { loop in
                box.withLock { $0 = loop }
                try await loop.run {
                    _ = try loop.schedule(at: .now, named: "blocking timer") { Self.block() }
                    try await loop.sleep(until: .now)
                    Self.block()
                    await wait(while: log.entries.isEmpty)
                }
                box.withLock { $0 = nil }
            })
        #expect(log.entries.contains("blocking timer"))
    }

    @Test("A busy event loop that yields in time is not reported")
    func quiet() async throws {
        let log = Log<EventLoopStall>()
        try await withLoop(threshold: .seconds(10), observer: log.add) { loop in
            try await loop.run { for _ in 0..<10_000 { await Task.yield() } }
            try await loop.sleep(until: .after(.milliseconds(60)))
        }
        #expect(log.entries.isEmpty)
    }

    private static func block() {
        let end = Deadline.after(.milliseconds(80))
        while Deadline.now < end {}
    }
}
