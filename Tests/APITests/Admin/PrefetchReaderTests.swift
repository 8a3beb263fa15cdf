import EventLoop
import Host
import TestSupport
import Testing

@testable import API

@Suite("The prefetch reader")
struct PrefetchReaderTests {
    /// Reports when the thread has released it.
    private final class Held: Sendable {
        let released: BlockingPromise<Bool>
        init(_ released: BlockingPromise<Bool>) { self.released = released }
        deinit { released.fulfill(true) }
    }

    private static func pieces(_ count: Int, released: BlockingPromise<Bool>, gate: BlockingPromise<Void>? = nil) throws -> PrefetchReader<
        Int
    > {
        let held = Held(released)
        return try PrefetchReader { [held] in
            var number = 0
            return {
                number += 1
                if number == 2 { gate?.wait() }
                return withExtendedLifetime(held) { number <= count ? number : nil }
            }
        }
    }

    @Test("The reader returns all pieces in order, then nil")
    func order() async throws {
        let released = BlockingPromise<Bool>()
        let pieces = try Self.pieces(5, released: released)
        var taken: [Int] = []
        while let piece = try await pieces.next() { taken.append(piece) }
        #expect(try await pieces.next() == nil && taken == [1, 2, 3, 4, 5])
    }

    @Test("The thread of a discarded reader ends", .onOwnThread)
    func abandoned() throws {
        let released = BlockingPromise<Bool>()
        do { _ = try Self.pieces(5, released: released) }
        #expect(released.wait(within: .seconds(20)) == true)
    }

    @Test("A canceled read ends the thread and throws, instead of returning nil", .onOwnThread)
    func cancelled() async throws {
        let (released, gate) = (BlockingPromise<Bool>(), BlockingPromise<Void>())
        let (taken, isTaken) = AsyncStream.makeStream(of: Int?.self)
        let taking = Task {
            let pieces = try Self.pieces(5, released: released, gate: gate)
            isTaken.yield(try await pieces.next())
            do { _ = try await pieces.next() } catch is CancellationError { return true }
            return false
        }
        for await piece in taken {
            #expect(piece == 1)
            break
        }
        taking.cancel()
        #expect(try await taking.value)
        gate.fulfill(())
        #expect(released.wait(within: .seconds(20)) == true)
    }
}
