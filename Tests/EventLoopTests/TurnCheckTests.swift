import EventLoop
import Host
import TestSupport
import Testing

@Suite("Checks of several loops", .onOwnThread)
struct TurnCheckTests {
    /// Holds the first of two loops for the length of a body.
    private func holding(_ body: (EventLoopGroup) async throws -> Void) async throws {
        let group = try EventLoopGroup(name: "held", count: 2)
        let (started, gate) = (BlockingPromise<Void>(), BlockingPromise<Void>())
        try group.loops[0].submit(named: "hold") {
            started.put(())
            gate.take()
        }
        started.take()
        let result: Result<Void, any Error>
        do { result = .success(try await body(group)) } catch { result = .failure(error) }
        gate.put(())
        await group.stop()
        try result.get()
    }

    @Test("A loop that does not turn is late, and the others are not", .timeLimit(.minutes(1)))
    func late() async throws {
        try await holding { group in
            let check = TurnCheck(group.loops)
            #expect(check.late() == [])
            // The second has run what it was given once it runs what comes after it.
            _ = await EventLoop.survey([group.loops[1]], until: .never, on: group.loops[1], named: "wait") { _ in }
            for _ in 0..<3 {
                #expect(check.late() == ["held-0"])
                _ = await EventLoop.survey([group.loops[1]], until: .never, on: group.loops[1], named: "wait") { _ in }
            }
        }
    }

    @Test("A loop that turns again is not late, and neither is one that has stopped", .timeLimit(.minutes(1)))
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

    @Test("A survey has the values of the loops that answer, and waits for no other beyond its deadline", .timeLimit(.minutes(1)))
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
