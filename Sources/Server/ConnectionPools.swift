package import EventLoop
package import Postgres
internal import Settings

package final class ConnectionPools: Sendable {
    /// The configuration of each connection.
    let configuration: PostgresConfiguration
    let limits: PoolLimits
    private let pools: [PostgresPool]

    init(_ group: EventLoopGroup, _ settings: Settings, _ url: DatabaseURL, _ log: ServeLog) {
        let (configuration, limits) = (PostgresConfiguration(url, settings), PoolLimits(settings))
        self.configuration = configuration
        self.limits = limits
        pools = group.loops.map { loop in
            PostgresPool(configuration, limits: limits, on: loop) { notice in log.record(notice, loop: loop.name) }
        }
    }

    package func pool(of loop: EventLoop) -> PostgresPool {
        guard let pool = pools.first(where: { $0.loop === loop }) else { preconditionFailure("a loop without a pool") }
        return pool
    }

    func start() async {
        for pool in pools { await Task(executorPreference: pool.loop) { pool.start() }.value }
    }

    /// Returns the metrics of each pool. A loop that does not respond within the limit is omitted. `timer` is a loop
    /// without a pool.
    func metrics(within limit: Duration, on timer: EventLoop) async -> [Metrics.PoolMetrics] {
        let metrics = await EventLoop.survey(pools.map(\.loop), until: .after(limit), on: timer, named: "metrics: pool") { [pools] index in
            let (pool, status) = (pools[index], pools[index].status)
            return Metrics.PoolMetrics(
                loop: pool.loop.name, inUse: status.leased, idle: status.idle, waiting: status.waiting, isServerAway: status.isServerAway)
        }
        return metrics.compactMap(\.self)
    }

    func shutDown() async {
        for pool in pools { await Task(executorPreference: pool.loop) { await pool.shutDown(until: .after(.seconds(2))) }.value }
    }
}
