internal import Catalog
package import EventLoop
internal import HTTPMessages
internal import Host
package import Postgres
package import Sync

/// What the calls of sync need from the server; one for all of them.
package final class SyncService: Sendable {
    enum Key: Sendable, Hashable {
        case page(SyncScope, SyncCursor?, limit: Int)
        case head(SyncScope)
        case buckets(SyncScope, bits: Int?)
        case entries(SyncScope, [Int], bits: Int)
    }

    /// How many may wait, and for how many days it is told what has gone.
    package struct Limits: Sendable {
        package let waiters: Int
        package let retention: Int

        package init(waiters: Int = 25_000, retention: Int = 60) {
            self.waiters = waiters
            self.retention = retention
        }
    }

    /// What is kept of answers.
    private static let mostBytes = 64 << 20
    /// How long the database may take for one of them.
    static let readTime = Duration.milliseconds(2_500)

    let queries: SyncQueries
    let pages: PageService
    let pool: @Sendable (EventLoop) -> PostgresPool
    let seal: SyncSeal
    let limits: Limits
    let waiters: SyncWaiters
    let answers = SyncAnswers<Key, SyncAnswer>(mostBytes: mostBytes) { $0.document.count * 2 + 1_000 }

    package init(
        _ queries: SyncQueries, pages: PageService, seal: SyncSeal, limits: Limits = Limits(),
        pool: @escaping @Sendable (EventLoop) -> PostgresPool
    ) {
        self.queries = queries
        self.pages = pages
        self.seal = seal
        self.limits = limits
        self.pool = pool
        waiters = SyncWaiters(limit: limits.waiters)
    }

    /// Something was published up to this version: whoever waits is to look.
    package func publish(_ version: Int) {
        guard version != waiters.head else { return }
        answers.removeAll()
        waiters.publish(version)
    }

    /// Wakes those whose turn it is, until it is cancelled; for a task that prefers the loop, which serves nobody.
    package func wakeWaiters(on loop: EventLoop) async {
        while true {
            waiters.wakeSome()
            do throws(EventLoopError) { try await loop.sleep(until: .after(.milliseconds(10)), named: "sync: waiters") } catch { return }
        }
    }

    /// Lets everybody who waits go with what they have.
    package func beginStopping() { waiters.stop() }

    /// How many wait.
    package var waiting: Int { waiters.count }

    func reader(on loop: EventLoop) -> SyncReader {
        let pool = self.pool(loop)
        return SyncReader(queries) { queries throws(PostgresError) in try await pool.run(queries, until: .after(Self.readTime)) }
    }
}
