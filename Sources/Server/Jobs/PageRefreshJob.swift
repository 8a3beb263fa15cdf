internal import API
internal import EventLoop
internal import Feeds
internal import Postgres
internal import Publishing

/// A job that refreshes the pages of a server on its own loop, because its reads would delay the serving loops.
struct PageRefreshJob: Sendable {
    /// The maximum delay that a lost notification causes.
    private static let pause = Duration.milliseconds(250)

    private let service: PageService
    private let configuration: PostgresConfiguration
    private let log: ServeLog
    /// A closure that receives each published head, whether or not its pages can be shown.
    private let published: @Sendable (PublishedHead) -> Void

    init(
        _ service: PageService, _ configuration: PostgresConfiguration, _ log: ServeLog,
        published: @escaping @Sendable (PublishedHead) -> Void
    ) {
        self.published = published
        self.service = service
        self.configuration = configuration
        self.log = log
    }

    /// Runs until it is canceled. The task must prefer the executor `loop`.
    func run(on loop: EventLoop) async {
        var limits = PoolLimits(minimum: 0, maximum: 1)
        limits.maxWaiting = 2
        let pool = PostgresPool(configuration, limits: limits, on: loop) { _ in }
        pool.start()
        await NotifiedLoop(configuration: configuration, channel: Sequencer.channel, pause: Self.pause, name: "pages").run(on: loop) {
            await refresh(pool)
        }
        await pool.shutDown(until: .after(.seconds(1)))
    }

    private func refresh(_ pool: PostgresPool) async {
        let deadline = Deadline.after(.seconds(60))
        do {
            let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
            let refresh = try await pool.withConnection(until: deadline) { connection in
                // Created here, because the time until the queries run is part of the difference of the clocks.
                let opening = service.opening
                return try await connection.transaction(options, opening: opening.queries, until: deadline) { connection, opened in
                    let session = PostgresSession(inTransactionOf: connection, until: deadline, within: .seconds(10))
                    return (try await service.refresh(opening, opened, published: published, session), [])
                }
            }
            if refresh.isChanged { log.recordPages(service.version) }
            for issue in refresh.issues { log.record(issue) }
        } catch {
            guard !Task.isCancelled else { return }
            log.recordPageRefreshFailed(error)
            await announce(pool)
        }
    }

    /// Announces the head although the pages could not be read. Copies do not depend on them.
    private func announce(_ pool: PostgresPool) async {
        let deadline = Deadline.after(.seconds(10))
        do {
            try await pool.withConnection(until: deadline) { connection in
                try await service.announce(published, PostgresSession(connection, until: deadline, within: .seconds(10)))
            }
        } catch {
            // The next refresh announces it.
        }
    }
}
