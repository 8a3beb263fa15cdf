import EventLoop
import Host
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct WatchTests {
    @Test("A watch calls back on the event loop's thread while bytes are available")
    func persistent() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let (near, far) = (pair.near.number, pair.far.number)
            let bytes = Log<Int>()
            try await loop.run {
                let watch = try loop.watch(near, for: .readable, named: "test") { readiness in
                    #expect(readiness == .readable)
                    #expect(loop.isCurrent)
                    bytes.add(near.drain())
                }
                for count in 1...3 {
                    far.send()
                    await wait(while: bytes.entries.count < count)
                }
                watch.cancel()
                watch.cancel()
                #expect(loop.registrations == (0, 0))
            }
            #expect(bytes.entries == [1, 1, 1])
        }
    }

    @Test("Tasks that an event starts run before the next event")
    func consequences() async throws {
        try await withLoop { loop in
            let first = try SocketPair()
            let second = try SocketPair()
            let log = Log<String>()
            try await loop.run {
                let watches = try [("first", first.near.number), ("second", second.near.number)].map { name, near in
                    try loop.watch(near, for: .readable, named: "test") { _ in
                        _ = near.drain()
                        log.add(name)
                        Task(executorPreference: loop) { log.add(name) }
                    }
                }
                first.far.number.send()
                second.far.number.send()
                await wait(while: log.entries.count < 4)
                for watch in watches { watch.cancel() }
            }
            #expect([["first", "first", "second", "second"], ["second", "second", "first", "first"]].contains(log.entries))
        }
    }

    @Test("A paused watch does not call back until it is resumed")
    func pausing() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let (near, far) = (pair.near.number, pair.far.number)
            let bytes = Log<Int>()
            try await loop.run {
                let watch = try loop.watch(near, for: .readable, named: "test") { _ in bytes.add(near.drain()) }
                watch.pause()
                far.send()
                try await loop.wait(for: .readable, on: near, until: .after(.seconds(30)))
                #expect(bytes.entries.isEmpty)
                try watch.resume()
                await wait(while: bytes.entries.isEmpty)
                watch.cancel()
            }
            #expect(bytes.entries == [1])
        }
    }

    @Test("Resuming a canceled watch throws an error")
    func resumeAfterCancel() async throws {
        try await withLoop { loop in
            try await loop.run {
                let pair = try SocketPair()
                let watch = try loop.watch(pair.near.number, for: .writable, named: "test") { _ in Issue.record("called") }
                watch.cancel()
                watch.pause()
                await expectEnd(.cancelled) { () throws(EventLoopError) in try watch.resume() }
            }
        }
    }

    @Test("Canceling a watch ends a wait for it")
    func cancelWhileWaiting() async throws {
        try await withLoop { loop in
            try await loop.run {
                let pair = try SocketPair()
                let watch = try loop.watch(pair.near.number, for: .readable, named: "test") { _ in Issue.record("called") }
                nonisolated(unsafe) let waited = watch
                let waiting = Task(executorPreference: loop) {
                    await expectEnd(.cancelled) { () throws(EventLoopError) in try await loop.wait(for: waited, until: .after(.seconds(30)))
                    }
                }
                await wait(while: loop.registrations != (1, 1))
                watch.cancel()
                #expect(loop.registrations == (0, 0))
                await waiting.value
            }
        }
    }

    @Test("A callback may cancel its own watch and another due one, which then does not call back")
    func cancelDue() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let near = pair.near.number
            let calls = Log<Int>()
            try await loop.run {
                let both = Both()
                both.first = try loop.watch(near, for: .writable, named: "test") { _ in
                    calls.add(1)
                    both.cancel()
                }
                both.second = try loop.watch(near, for: .writable, named: "test") { _ in
                    calls.add(2)
                    both.cancel()
                }
                await wait(while: loop.registrations != (0, 0))
            }
            #expect(calls.entries.count == 1)
        }
    }

    private final class Both {
        var first: Watch?
        var second: Watch?

        func cancel() {
            first?.cancel()
            second?.cancel()
        }
    }

    @Test("A wait for a watch replaces its callback, and the watch stays registered after it")
    func waiting() async throws {
        try await withLoop { loop in
            let pair = try SocketPair()
            let (near, far) = (pair.near.number, pair.far.number)
            let bytes = Log<Int>()
            try await loop.run {
                nonisolated(unsafe) let watch = try loop.watch(near, for: .readable, named: "test") { _ in bytes.add(near.drain()) }
                for _ in 1...3 {
                    far.send()
                    #expect(try await loop.wait(for: watch, until: .after(.seconds(30))) == .readable)
                    #expect(near.drain() == 1)
                    #expect(loop.registrations == (1, 0))
                }
                await expectEnd(.deadlinePassed) { () throws(EventLoopError) in
                    try await loop.wait(for: watch, until: .after(.milliseconds(1)))
                }
                let waiting = Task(executorPreference: loop) {
                    await expectEnd(.cancelled) { () throws(EventLoopError) in
                        try await loop.wait(for: watch, until: .after(.seconds(3600)))
                    }
                }
                await wait(while: loop.registrations != (1, 1))
                waiting.cancel()
                await waiting.value
                #expect(loop.registrations == (1, 0))
                #expect(bytes.entries.isEmpty)
                far.send()
                await wait(while: bytes.entries.isEmpty)
                watch.cancel()
            }
            #expect(bytes.entries == [1])
        }
    }

    @Test("A wait resumes a paused watch, and ends if its descriptor is closed")
    func waitingForPaused() async throws {
        try await withLoop { loop in
            try await loop.run {
                let pair = try SocketPair()
                let far = pair.far.number
                nonisolated(unsafe) let watch = try loop.watch(pair.near.number, for: .readable, named: "test") { _ in
                    Issue.record("called")
                }
                watch.pause()
                far.send()
                #expect(try await loop.wait(for: watch, until: .after(.seconds(30))) == .readable)
                #expect(pair.near.number.drain() == 1)
                let waiting = Task(executorPreference: loop) {
                    await expectEnd(.descriptorClosed) { () throws(EventLoopError) in
                        try await loop.wait(for: watch, until: .after(.seconds(3600)))
                    }
                }
                await wait(while: loop.registrations != (1, 1))
                let rest = pair.closeNear(on: loop)
                await waiting.value
                #expect(loop.registrations == (0, 0))
                await expectEnd(.cancelled) { () throws(EventLoopError) in try await loop.wait(for: watch, until: .never) }
                _ = rest
            }
        }
    }

    @Test("Closing a descriptor cancels only its own watches")
    func closing() async throws {
        try await withLoop { loop in
            try await loop.run {
                let retained = try SocketPair()
                let closed = try SocketPair()
                _ = try loop.watch(closed.near.number, for: .readable, named: "test") { _ in Issue.record("called") }
                _ = try loop.watch(closed.near.number, for: .readable, named: "test") { _ in Issue.record("called") }
                let watch = try loop.watch(retained.near.number, for: .readable, named: "test") { _ in }
                _ = closed.closeNear(on: loop)
                #expect(loop.registrations == (1, 0))
                watch.cancel()
                #expect(loop.registrations == (0, 0))
            }
        }
    }
}
