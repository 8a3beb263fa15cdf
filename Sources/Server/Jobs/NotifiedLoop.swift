internal import EventLoop
internal import Postgres

/// A loop that runs a body when a database channel notifies, and after each pause because a notification may be lost.
/// Runs never overlap.
struct NotifiedLoop: Sendable {
    let configuration: PostgresConfiguration
    let channel: String
    let pause: Duration
    let name: WorkLabel

    /// Runs until it is canceled. The task must prefer the executor `loop`.
    func run(on loop: EventLoop, _ body: () async -> Void) async {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = PostgresListener(configuration, channels: [channel])
        await withTaskGroup { group in
            group.addTask { await listener.run(on: loop) { _ in waker.yield() } }
            group.addTask {
                while true {
                    waker.yield()
                    do throws(EventLoopError) { try await loop.sleep(until: .after(pause), named: name) } catch { return }
                }
            }
            for await _ in wakes {
                if Task.isCancelled { break }
                await body()
            }
            group.cancelAll()
        }
    }
}
