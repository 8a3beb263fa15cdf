package import EventLoop
package import Feeds
package import HTTPMessages
internal import Host
package import Postgres
package import Sync

package final class SyncService: Sendable {
    enum Key: Sendable, Hashable {
        case page(SyncScope, SyncCursor?, limit: Int)
        /// In whatever locale, for a second: an audit that mends a digest, and a purge, give nothing a version.
        case head(storefront: String, SyncScope.Content, second: Int)
        case buckets(storefront: String, SyncScope.Content, bits: Int?, second: Int)

        /// About how much of memory it takes.
        var bytes: Int {
            switch self {
            case .page(let scope, _, _): 300 + scope.content.bytes
            case .head(_, let content, _), .buckets(_, let content, _, _): 200 + content.bytes
            }
        }
    }

    /// How many may wait, for how many days it is told what has gone, and how much is read for one answer.
    package struct Limits: Sendable {
        package let maxWaiting: Int
        /// Of one client, by its address or its /64 network.
        package let maxWaitingPerAddress: Int
        /// Addresses without that limit.
        package let exempt: TrustedProxies
        package let retention: Duration
        package var reading = SyncReader.Limits()
        /// How many changes a page has at most, whatever is asked for.
        package var maxChanges = SyncPage.Budget.maxChanges
        /// How many entries of buckets are listed at once.
        package var maxEntries = 1_000
        var pace = SyncWaitQueue.Pace()

        package init(
            maxWaiting: Int = 25_000, maxWaitingPerAddress: Int = 2_500, exempt: TrustedProxies = TrustedProxies([]),
            retention: Duration = .seconds(60 * 86_400)
        ) {
            self.maxWaiting = maxWaiting
            self.maxWaitingPerAddress = maxWaitingPerAddress
            self.exempt = exempt
            self.retention = retention
        }
    }

    private static let maxBytes = 64 << 20
    /// So many are read at once for each loop, for all who ask: those who wait are none of the requests that a loop works on.
    private static let maxBuilding = 250
    /// How long the database may take for one of them.
    static let readTime = Duration.milliseconds(2_500)

    let pages: PageService
    let pool: @Sendable (EventLoop) -> PostgresPool
    private let currentSeal: Locked<CursorCodec>
    let limits: Limits
    let waiters: SyncWaitQueue
    private let began = ContinuousClock.now
    let answers = SharedBuildCache<Key, SyncResponse>(maxBytes: maxBytes, maxBuilding: maxBuilding) { key, answer in
        key.bytes + answer.document.count * 2 + 1_000
    }

    /// What the digests of a scope are folded from, read once a second for however many buckets anybody asks.
    let digests = SharedBuildCache<DigestKey, SyncDigests>(maxBytes: maxBytes / 2, maxBuilding: maxBuilding) { key, digests in
        key.content.bytes + digests.bytes
    }

    struct DigestKey: Sendable, Hashable {
        let storefront: String
        let content: SyncScope.Content
        let second: Int
    }

    package init(
        pages: PageService, seal: CursorCodec, limits: Limits = Limits(),
        pool: @escaping @Sendable (EventLoop) -> PostgresPool
    ) {
        self.pages = pages
        currentSeal = Locked(seal)
        self.limits = limits
        self.pool = pool
        waiters = SyncWaitQueue(
            limit: limits.maxWaiting, addresses: AddressCounts(limit: limits.maxWaitingPerAddress, exempt: limits.exempt), pace: limits.pace
        )
    }

    /// The keys of cursors as they are now. A request takes them anew for each cursor that it reads or makes.
    var seal: CursorCodec { currentSeal.withLock { $0 } }

    /// Reads and makes cursors by other keys from now on. What was rendered has cursors of the ones before, and is not sent again.
    package func replaceSeal(by seal: CursorCodec) {
        currentSeal.withLock { $0 = seal }
        answers.removeAll()
    }

    /// Something was published, or taken back: whoever waits is to look.
    package func publish(_ head: PublishedHead) {
        guard head != waiters.head else { return }
        // The digests first: an answer that is built after the answers are removed would keep an old one.
        digests.removeAll()
        answers.removeAll()
        waiters.publish(head)
    }

    /// The one that this is, of those since the server began.
    var second: Int { Int(began.duration(to: .now).components.seconds) }

    /// Wakes those whose turn it is, until it is cancelled; for a task that prefers the loop, which serves nobody.
    package func wakeWaiters(on loop: EventLoop) async {
        while true {
            waiters.wakeSome()
            do throws(EventLoopError) { try await loop.sleep(until: .after(.milliseconds(10)), named: "sync: waiters") } catch { return }
        }
    }

    /// Lets everybody who waits go with what they have.
    package func beginStopping() { waiters.stop() }

    package var waiting: Int { waiters.count }

    func reader(on loop: EventLoop) -> SyncReader {
        let pool = self.pool(loop)
        return SyncReader(limits: limits.reading, PostgresSession(pool, within: Self.readTime))
    }
}

extension SyncScope.Content {
    fileprivate var bytes: Int {
        switch self {
        case .catalog: 0
        case .feeds(let feeds): feeds.reduce(0) { $0 + 32 + $1.utf8.count }
        }
    }
}
