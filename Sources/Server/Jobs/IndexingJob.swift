internal import Catalog
internal import EventLoop
internal import Postgres

/// A job that indexes the items that imports changed, while the process serves.
///
/// One of several servers works at a time. Each tries when it is notified and every five seconds, because the notified
/// one may have ended. If another process indexes or imports, each tries again after a second.
struct IndexingJob: Sendable {
    private static let pause = Duration.seconds(5)
    private static let busyPause = Duration.seconds(1)

    private let pools: ConnectionPools
    private let log: ServeLog

    init(_ pools: ConnectionPools, _ log: ServeLog) {
        self.pools = pools
        self.log = log
    }

    /// Runs until it is canceled. The task must prefer the executor `loop`.
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
                case .busy: try await loop.sleep(until: .after(Self.busyPause), named: "indexing: wait for another process")
                }
            }
        } catch {
            if !Task.isCancelled { log.recordIndexingFailed(error) }
        }
    }
}
