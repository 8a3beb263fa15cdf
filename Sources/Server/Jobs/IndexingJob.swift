internal import Catalog
internal import EventLoop
internal import Postgres

/// Lists what imports leave to be listed, beside serving.
///
/// One of several servers works. Each tries when it is notified and every five seconds, as the one that was notified may be gone; if another
/// process derives or imports, each tries again after a second.
struct IndexingJob: Sendable {
    private static let pause = Duration.seconds(5)
    private static let busyPause = Duration.seconds(1)

    private let pools: ConnectionPools
    private let log: ServeLog

    init(_ pools: ConnectionPools, _ log: ServeLog) {
        self.pools = pools
        self.log = log
    }

    /// Until it is cancelled; for a task that prefers the loop.
    func run(on loop: EventLoop) async {
        await NotifiedLoop(configuration: pools.configuration, channel: ItemIndexer.channel, pause: Self.pause, name: "listing").run(
            on: loop
        ) {
            await drain(on: loop)
        }
    }

    private func drain(on loop: EventLoop) async {
        do {
            while !Task.isCancelled {
                let part = try await pools.pool(of: loop).withConnection(until: .after(.seconds(30))) { connection in
                    try await ItemIndexer.deriveSome(PostgresSession(connection, within: ItemIndexer.timeLimit))
                }
                switch part {
                case .derived: continue
                case .nothing: return
                case .busy: try await loop.sleep(until: .after(Self.busyPause), named: "listing: another process works")
                }
            }
        } catch {
            if !Task.isCancelled { log.recordIndexingFailed(error) }
        }
    }
}
