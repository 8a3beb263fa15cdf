import EventLoop
import Host
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WaitTests {
    @Test("a wait says what the descriptor became ready for")
    func readiness() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let (near, far) = (pair.near.number, pair.far.number)
            try await loop.run {
                let before = try await loop.wait(for: [.readable, .writable], on: near, until: .never)
                #expect(before == .writable)
                far.send()
                let after = try await loop.wait(for: [.readable, .writable], on: near, until: .never)
                #expect(after == [.readable, .writable])
                #expect(loop.registrations == (0, 0))
            }
        }
    }

    @Test("a task of another executor can wait on the loop")
    func foreignTask() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            async let ready = loop.wait(for: .readable, on: pair.near.number, until: .after(.seconds(30)))
            pair.far.number.send()
            let seen = try await ready
            #expect(seen == .readable)
        }
    }

    @Test("an end at the other side is readable")
    func hangUp() async throws {
        try await withLoop { loop in
            let near = try SocketPair().hangUp()
            let number = near.number
            #expect(try await loop.wait(for: .readable, on: number, until: .after(.seconds(30))).contains(.readable))
        }
    }

    @Test("a deadline that passes is an error, not before its time, and frees the registration")
    func deadline() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let number = pair.near.number
            try await loop.run {
                let start = ContinuousClock.now
                await expectEnd(.deadlinePassed) { () throws(EventLoopError) in
                    try await loop.wait(for: .readable, on: number, until: .after(.milliseconds(20)), named: "test")
                }
                #expect(ContinuousClock.now - start >= .milliseconds(20))
                #expect(loop.registrations == (0, 0))
            }
        }
    }

    @Test("a deadline that has passed comes before a descriptor that is ready, so that a loop of waits has an end")
    func passedDeadline() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let number = pair.near.number
            for _ in 0..<100 {
                await expectEnd(.deadlinePassed) { () throws(EventLoopError) in
                    try await loop.wait(for: .writable, on: number, until: .after(.seconds(-1)))
                }
            }
        }
    }

    @Test("deadlines that cannot be reckoned pass at once or never", arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero])
    func pastDeadlines(duration: Duration) async throws {
        try await withLoop { loop in
            try await loop.sleep(until: .after(duration))
            try await loop.sleep(until: Deadline.now.advanced(by: duration).advanced(by: duration))
        }
        #expect(Deadline.after(.seconds(Int64.max)) == .never)
        #expect(Deadline.never.advanced(by: duration) == .never)
        #expect(Deadline.after(duration).remaining == .zero)
    }

    @Test("cancellation on the loop's thread frees the registration before the call returns")
    func cancellation() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let number = pair.near.number
            try await loop.run {
                let waiting = Task(executorPreference: loop) {
                    await expectEnd(.cancelled) { () throws(EventLoopError) in
                        try await loop.wait(for: .readable, on: number, until: .after(.seconds(3600)))
                    }
                }
                await wait(while: loop.registrations != (1, 1))
                waiting.cancel()
                #expect(loop.registrations == (0, 0))
                await waiting.value
            }
        }
    }

    @Test("cancellation from other threads, before or during the wait, ends it and leaves nothing registered")
    func foreignCancellation() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let number = pair.near.number
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<500 {
                    group.addTask(executorPreference: index.isMultiple(of: 2) ? loop : nil) {
                        await expectEnd(.cancelled) { () throws(EventLoopError) in
                            try await loop.wait(for: .readable, on: number, until: .never)
                        }
                    }
                    if index == 250 { group.cancelAll() }
                }
            }
            try await loop.run { #expect(loop.registrations == (0, 0)) }
        }
    }

    @Test("closing a descriptor through the loop ends the waits for it and closes it")
    func closing() async throws {
        try await withLoop { loop in
            try await loop.run {
                let pair = try SocketPair()
                let number = pair.near.number
                let waiting = Task(executorPreference: loop) {
                    await expectEnd(.descriptorClosed) { () throws(EventLoopError) in
                        try await loop.wait(for: .readable, on: number, until: .after(.seconds(3600)))
                    }
                }
                await wait(while: loop.registrations != (1, 1))
                let far = pair.closeNear(on: loop)
                #expect(loop.registrations == (0, 0))
                await waiting.value
                let readiness = try await loop.wait(for: .readable, on: far.number, until: .after(.seconds(30)))
                #expect(readiness == .readable)
            }
        }
    }

    @Test("a descriptor that is closed already, or is no descriptor, is refused at once", arguments: [-1, Int32.max])
    func badDescriptor(number: Int32) async throws {
        try await withLoop { loop in
            await expectEnd(.system) { () throws(EventLoopError) in try await loop.wait(for: .readable, on: number, until: .never) }
            let closed = try Self.closedDescriptor()
            await expectEnd(.system) { () throws(EventLoopError) in try await loop.wait(for: .writable, on: closed, until: .never) }
            try await loop.run { #expect(loop.registrations == (0, 0)) }
        }
    }

    /// A number so high that no other test is given it meanwhile.
    private static func closedDescriptor() throws -> Int32 { try SocketPair().duplicateOfNear(atLeast: 900).number }
}
