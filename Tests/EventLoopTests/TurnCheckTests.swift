import EventLoop
import Host
import TestSupport
import Testing

@Suite("The check for stalled event loops", .onOwnThread)
struct TurnCheckTests {
    /// Blocks the first of two event loops during a body.
    private func holding(_ body: (EventLoopGroup) async throws -> Void) async throws {
        let group = try EventLoopGroup(name: "held", count: 2)
        let (started, gate) = (BlockingPromise<Void>(), BlockingPromise<Void>())
        try group.loops[0].submit(named: "hold") {
            started.fulfill(())
            gate.wait()
        }
        started.wait()
        let result: Result<Void, any Error>
        do { result = .success(try await body(group)) } catch { result = .failure(error) }
        gate.fulfill(())
        await group.stop()
        try result.get()
    }

    @Test("A blocked event loop is late, and the others are not", .timeLimit(.minutes(1)))
    func late() async throws {
        try await holding { group in
            let check = TurnCheck(group.loops)
            #expect(check.late() == [])
            // The second loop has run its check once it runs a later call.
            _ = await EventLoop.survey([group.loops[1]], until: .never, on: group.loops[1], named: "wait") { _ in }
            for _ in 0..<3 {
                #expect(check.late() == ["held-0"])
                _ = await EventLoop.survey([group.loops[1]], until: .never, on: group.loops[1], named: "wait") { _ in }
            }
        }
    }

    @Test("An event loop that runs again is not late, and neither is a stopped one", .timeLimit(.minutes(1)))
    func again() async throws {
        let group = try EventLoopGroup(name: "turning", count: 2)
        let check = TurnCheck(group.loops)
        for _ in 0..<3 {
            #expect(check.late() == [])
            _ = await EventLoop.survey(group.loops, until: .never, on: group.loops[0], named: "wait") { _ in }
        }
        await group.stop()
        #expect(check.late() == [])
        #expect(check.late() == [])
    }

    @Test("A survey has the values of the responding event loops, and waits for others only until its deadline", .timeLimit(.minutes(1)))
    func survey() async throws {
        try await holding { group in
            let values = await EventLoop.survey(
                group.loops, until: .after(.milliseconds(50)), on: group.loops[1], named: "ask"
            ) { index in index }
            #expect(values == [nil, 1])
        }
        let group = try EventLoopGroup(name: "stopped", count: 1)
        let timer = try EventLoop(name: "timer")
        await group.stop()
        #expect(await EventLoop.survey(group.loops, until: .never, on: timer, named: "ask") { $0 } == [nil])
        #expect(await EventLoop.survey([], until: .never, on: timer, named: "ask") { $0 } == [])
        await timer.stop()
    }
}
