internal import Catalog
internal import EventLoop
internal import Postgres

/// Lists what imports leave to be listed, beside serving.
///
/// Of many servers one works and the others look in vain. It looks when it is told, and from time to time, as one that was told may be gone.
struct DerivingWork: Sendable {
    private static let pause = Duration.seconds(5)

    private let deriver: ItemDeriver
    private let pools: LoopPools
    private let log: ServeLog

    init(_ deriver: ItemDeriver, _ pools: LoopPools, _ log: ServeLog) {
        self.deriver = deriver
        self.pools = pools
        self.log = log
    }

    /// Until it is cancelled; for a task that prefers the loop.
    func run(on loop: EventLoop) async {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let listener = PostgresListener(pools.configuration, channels: [ItemDeriver.channel])
        await withTaskGroup { group in
            group.addTask { await listener.run(on: loop) { _ in waker.yield() } }
            group.addTask {
                while true {
                    waker.yield()
                    do throws(EventLoopError) { try await loop.sleep(until: .after(Self.pause), named: "listing") } catch { return }
                }
            }
            for await _ in wakes { await drain(on: loop) }
            group.cancelAll()
        }
    }

    private func drain(on loop: EventLoop) async {
        do {
            var items: Int
            repeat {
                items = try await pools.pool(of: loop).withConnection(until: .after(.seconds(30))) { connection in
                    try await deriver.deriveSome { queries throws(PostgresError) in
                        try await connection.run(queries, until: .after(ItemDeriver.timeLimit))
                    }
                }
            } while items > 0 && !Task.isCancelled
        } catch {
            if !Task.isCancelled { log.recordListingFailed(error) }
        }
    }
}
