import EventLoop
import Host
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WaitTests {
    @Test("A wait returns the readiness of the descriptor")
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

    @Test("A task of another executor can wait on an event loop")
    func foreignTask() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            async let ready = loop.wait(for: .readable, on: pair.near.number, until: .after(.seconds(30)))
            pair.far.number.send()
            let seen = try await ready
            #expect(seen == .readable)
        }
    }

    @Test("A closed peer makes a descriptor readable")
    func hangUp() async throws {
        try await withLoop { loop in
            let near = try SocketPair().hangUp()
            let number = near.number
            #expect(try await loop.wait(for: .readable, on: number, until: .after(.seconds(30))).contains(.readable))
        }
    }

    @Test("A passed deadline is an error, not earlier, and removes the registration")
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

    @Test("A deadline in the past takes precedence over a ready descriptor, so that a series of waits ends")
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

    @Test("A deadline that overflows passes immediately or never", arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero])
    func pastDeadlines(duration: Duration) async throws {
        try await withLoop { loop in
            try await loop.sleep(until: .after(duration))
            try await loop.sleep(until: Deadline.now.advanced(by: duration).advanced(by: duration))
        }
        #expect(Deadline.after(.seconds(Int64.max)) == .never)
        #expect(Deadline.never.advanced(by: duration) == .never)
        #expect(Deadline.after(duration).remaining == .zero)
    }

    @Test("Cancellation on the event loop's thread removes the registration before the call returns")
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

    @Test("Cancellation from another thread, before or during a wait, ends it and leaves no registration")
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

    @Test("Closing a descriptor through the event loop ends the waits for it")
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

    @Test("An invalid or closed descriptor is refused immediately", arguments: [-1, Int32.max])
    func badDescriptor(number: Int32) async throws {
        try await withLoop { loop in
            await expectEnd(.system) { () throws(EventLoopError) in try await loop.wait(for: .readable, on: number, until: .never) }
            let closed = try Self.closedDescriptor()
            await expectEnd(.system) { () throws(EventLoopError) in try await loop.wait(for: .writable, on: closed, until: .never) }
            try await loop.run { #expect(loop.registrations == (0, 0)) }
        }
    }

    /// Returns a closed descriptor whose number is so high that no other test uses it at the same time.
    private static func closedDescriptor() throws -> Int32 { try SocketPair().duplicateOfNear(atLeast: 900).number }
}
