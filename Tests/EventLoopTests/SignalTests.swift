import EventLoop
import Host
import TestSupport
import Testing

/// The event loop's thread blocks every signal, so that a signal sent only to that thread waits there and affects no other thread.
@Suite(.timeLimit(.minutes(5))) struct SignalTests {
    @Test("Signals are received one by one, whether they arrive before or during the wait")
    func signals() async throws {
        try await withLoop { loop in
            try await loop.run {
                raise(.hangup)
                let previous = try await loop.next(of: [.hangup, .terminate], until: .after(.seconds(30)))
                #expect(previous == .hangup)
                let waiting = Task(executorPreference: loop) {
                    try await loop.next(of: [.hangup, .terminate], until: .after(.seconds(30)))
                }
                await wait(while: loop.registrations.descriptors == 0)
                raise(.terminate)
                let later = try await waiting.value
                #expect(later == .terminate)
                #expect(loop.registrations == (0, 0))
            }
        }
    }

    @Test("A signal that does not arrive ends the wait at its deadline")
    func deadline() async throws {
        try await withLoop { loop in
            await expectEnd(.deadlinePassed) { () throws(EventLoopError) in
                try await loop.next(of: [.hangup], until: .after(.milliseconds(5)))
            }
        }
    }
}
