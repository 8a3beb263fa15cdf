import EventLoop
import Host
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct TimerTests {
    @Test("Timers fire in the order of their deadlines after any series of sets, moves and cancellations")
    func order() async throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        let steps = (0..<3000).map { _ in Step(time: Int(random.next() % 1000), choice: random.next() % 4, target: Int(random.next() >> 40))
        }
        try await withLoop { loop in
            let log = Log<Int>()
            let expected = try await loop.run { try await Self.play(steps, on: loop, log) }
            #expect(log.entries == expected, "seed \(seed)")
        }
    }

    private struct Step: Sendable {
        let time: Int
        let choice: UInt64
        let target: Int
    }

    /// Sets due timers, moves and cancels some, and returns the times of the remaining ones, in order.
    private static func play(_ steps: [Step], on loop: EventLoop, _ log: Log<Int>) async throws -> [Int] {
        let start = Deadline.after(.seconds(-1))
        var live: [(token: TimerToken, time: Locked<Int>)] = []
        for step in steps {
            let deadline = start.advanced(by: .microseconds(step.time))
            switch step.choice {
            case 0 where !live.isEmpty:
                #expect(loop.cancel(live.remove(at: step.target % live.count).token))
            case 1 where !live.isEmpty:
                let (token, time) = live[step.target % live.count]
                time.withLock { $0 = step.time }
                #expect(loop.move(token, to: deadline))
            default:
                let time = Locked(step.time)
                live.append((try loop.schedule(at: deadline, named: "test") { log.add(time.withLock { $0 }) }, time))
            }
        }
        #expect(loop.registrations == (0, live.count))
        try await loop.sleep(until: .now)
        return live.map { $0.time.withLock { $0 } }.sorted()
    }

    @Test("The deadlines of one event start at the same time, and those of a later event start later")
    func delays() async throws {
        let delay = Delay(.seconds(10))
        @Sendable func block() {
            let end = Deadline.after(.milliseconds(30))
            while Deadline.now < end {}
        }
        try await withLoop { loop in
            let deadlines = Log<Deadline>()
            for _ in 0..<3 {
                try loop.submit(named: "test") {
                    deadlines.add(delay.fromNow)
                    block()
                    deadlines.add(delay.fromNow)
                }
                try await loop.sleep(until: .after(.milliseconds(20)))
            }
            let times = deadlines.entries
            #expect(times.count == 6 && times[0] == times[1] && times[2] == times[3] && times[4] == times[5])
            #expect(times[1] < times[2] && times[3] < times[4])
        }
        // Outside of a loop, the clock is read each time.
        let first = delay.fromNow
        block()
        #expect(delay.fromNow > first)
    }

    @Test("Timers with the same deadline fire in the order in which they were set, and none fires early")
    func equalDeadlines() async throws {
        try await withLoop { loop in
            let log = Log<Int>()
            try await loop.run {
                let deadline = Deadline.after(.milliseconds(2))
                for index in 0..<100 {
                    _ = try loop.schedule(at: deadline, named: "test") {
                        #expect(Deadline.now >= deadline)
                        log.add(index)
                    }
                }
                try await loop.sleep(until: deadline)
            }
            #expect(log.entries == Array(0..<100))
        }
    }

    @Test("A canceled timer does not fire, even if it is due in the same turn")
    func cancellation() async throws {
        try await withLoop { loop in
            let log = Log<String>()
            try await loop.run {
                let deadline = Deadline.now
                let later = Log<TimerToken>()
                _ = try loop.schedule(at: deadline, named: "test") {
                    log.add("first")
                    for timer in later.entries { #expect(loop.cancel(timer)) }
                }
                later.add(try loop.schedule(at: deadline, named: "test") { log.add("second") })
                try await loop.sleep(until: deadline)
                for timer in later.entries { #expect(!loop.cancel(timer)) }
                #expect(loop.registrations == (0, 0))
            }
            #expect(log.entries == ["first"])
        }
    }

    @Test("A moved timer fires once, at its new time")
    func moving() async throws {
        try await withLoop { loop in
            let log = Log<String>()
            try await loop.run {
                let moved = try loop.schedule(at: .after(.seconds(3600)), named: "test") { log.add("moved") }
                let now = Deadline.now
                _ = try loop.schedule(at: now, named: "test") { log.add("fixed") }
                #expect(loop.move(moved, to: now))
                try await loop.sleep(until: now)
                #expect(!loop.move(moved, to: now))
            }
            #expect(log.entries == ["fixed", "moved"])
        }
    }

    @Test("A timer that sets itself again in the past does not starve others")
    func selfRenewal() async throws {
        try await withLoop { loop in
            try await loop.run {
                try Self.renew(on: loop, until: .after(.milliseconds(20)))
                let pair = try SocketPair()
                pair.far.number.send()
                try await loop.wait(for: .readable, on: pair.near.number, until: .after(.seconds(30)))
                try await loop.sleep(until: .after(.milliseconds(1)))
                await wait(while: loop.registrations != (0, 0))
            }
        }
    }

    private static func renew(on loop: EventLoop, until end: Deadline) throws(EventLoopError) {
        _ = try loop.schedule(at: .after(.seconds(-1)), named: "test") {
            do throws(EventLoopError) {
                if Deadline.now < end { try renew(on: loop, until: end) }
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("100,000 sleeping tasks all wake up, none early")
    func manySleeps() async throws {
        try await withLoop { loop in
            let count = try await loop.run {
                // The tasks are in nested groups, because the runtime searches the whole group for each child that ends.
                await withTaskGroup(of: Int.self) { groups in
                    let start = Deadline.now
                    for first in stride(from: 0, to: 100_000, by: 500) {
                        groups.addTask {
                            await early(of: (first..<first + 500).map { .microseconds($0 * 7919 % 200_000) }, after: start, on: loop)
                        }
                    }
                    return await groups.reduce(0, +)
                }
            }
            #expect(count == 0)
            try await loop.run { #expect(loop.registrations == (0, 0)) }
        }
    }

    /// Returns the number of tasks that wake up early from a sleep of these durations.
    private func early(of pauses: [Duration], after start: Deadline, on loop: EventLoop) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for pause in pauses {
                let deadline = start.advanced(by: pause)
                group.addTask {
                    do throws(EventLoopError) {
                        try await loop.sleep(until: deadline)
                        return Deadline.now < deadline
                    } catch {
                        return true
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
    }

    @Test("100,000 timers are set and canceled without firing")
    func manyCancellations() async throws {
        try await withLoop { loop in
            try await loop.run {
                let timers = try (0..<100_000).map { index in
                    try loop.schedule(at: .after(.seconds(60 + index * 7919 % 1000)), named: "test") { Issue.record("fired") }
                }
                #expect(loop.registrations == (0, 100_000))
                for timer in timers { loop.cancel(timer) }
                #expect(loop.registrations == (0, 0))
            }
        }
    }
}
