import EventLoop
import Host
import TestSupport
import Testing

/// The loop's thread holds every signal, so that what is sent to that thread alone waits to be taken and harms nobody else.
@Suite(.timeLimit(.minutes(5))) struct SignalTests {
    @Test("signals are taken one by one, whether they came before the wait or during it")
    func signals() async throws {
        try await withLoop { loop in
            try await loop.run {
                raise(.hangup)
                let earlier = try await loop.next(of: [.hangup, .terminate], until: .after(.seconds(30)))
                #expect(earlier == .hangup)
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

    @Test("a signal that does not come is a passed deadline")
    func deadline() async throws {
        try await withLoop { loop in
            await expectEnd(.deadlinePassed) { () throws(EventLoopError) in
                try await loop.next(of: [.hangup], until: .after(.milliseconds(5)))
            }
        }
    }
}
