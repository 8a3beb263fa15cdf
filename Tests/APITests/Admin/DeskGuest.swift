@testable import API

/// Holds a desk until it is told to leave it.
struct DeskGuest: Sendable {
    let task: Task<Void, any Error>
    let isSeated: AsyncStream<Void>
    let leave: AsyncStream<Void>.Continuation

    init(_ room: AdminConcurrencyLimiter) {
        let (seated, sit) = AsyncStream.makeStream(of: Void.self)
        let (left, leave) = AsyncStream.makeStream(of: Void.self)
        isSeated = seated
        self.leave = leave
        task = Task {
            try await room.seated {
                sit.yield()
                for await _ in left { break }
            }
        }
    }

    func waitUntilSeated() async { for await _ in isSeated { break } }
}
