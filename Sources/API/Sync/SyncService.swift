package import EventLoop
package import Feeds
package import HTTPMessages
internal import Host
package import Postgres
package import Sync

package final class SyncService: Sendable {
    enum Key: Sendable, Hashable {
        case page(SyncScope, SyncCursor?, limit: Int)
        /// The head in all locales, cached for a second: a repaired digest and a purge of tombstones create no version.
        case head(storefront: String, SyncScope.Content, second: Int)
        case buckets(storefront: String, SyncScope.Content, bits: Int?, second: Int)

        /// The approximate size in memory, in bytes.
        var bytes: Int {
            switch self {
            case .page(let scope, _, _): 300 + scope.content.bytes
            case .head(_, let content, _), .buckets(_, let content, _, _): 200 + content.bytes
            }
        }
    }

    /// The limits of waiting clients, of the retention of tombstones, and of the data for one response.
    package struct Limits: Sendable {
        package let maxWaiting: Int
        /// The number of waiting requests of one client, by its address or its /64 network.
        package let maxWaitingPerAddress: Int
        /// The addresses to which that limit does not apply.
        package let exempt: TrustedProxies
        package let retention: Duration
        package var reading = SyncReader.Limits()
        /// The largest number of changes in a page, whatever the client requests.
        package var maxChanges = SyncPage.Budget.maxChanges
        /// The largest number of bucket entries in one response.
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
    /// The number of responses that each event loop builds at the same time. The request limit of the loop does not
    /// count waiting requests, so it does not limit these.
    private static let maxBuilding = 250
    /// The time that the database may take for one response.
    static let readTime = Duration.milliseconds(2_500)

    let pages: PageService
    let pool: @Sendable (EventLoop) -> PostgresPool
    private let currentCodec: Locked<CursorCodec>
    let limits: Limits
    let waiters: SyncWaitQueue
    private let began = ContinuousClock.now
    let responses = SharedBuildCache<Key, SyncResponse>(maxBytes: maxBytes, maxBuilding: maxBuilding) { key, response in
        key.bytes + response.document.count * 2 + 1_000
    }

    /// The last changes of scopes, for cursors near the head.
    let tails = SyncTails(maxBytes: maxBytes / 2)

    /// The data from which the digests of a scope are computed. It is read once a second, for any number of requested
    /// buckets.
    let digests = SharedBuildCache<DigestKey, SyncDigests>(maxBytes: maxBytes / 2, maxBuilding: maxBuilding) { key, digests in
        key.content.bytes + digests.bytes
    }

    struct DigestKey: Sendable, Hashable {
        let storefront: String
        let content: SyncScope.Content
        let second: Int
    }

    package init(
        pages: PageService, codec: CursorCodec, limits: Limits = Limits(),
        pool: @escaping @Sendable (EventLoop) -> PostgresPool
    ) {
        self.pages = pages
        currentCodec = Locked(codec)
        self.limits = limits
        self.pool = pool
        waiters = SyncWaitQueue(
            limit: limits.maxWaiting, addresses: AddressCounts(limit: limits.maxWaitingPerAddress, exempt: limits.exempt), pace: limits.pace
        )
        pages.afterClosing { [waiters] storefronts in waiters.close(storefronts) }
    }

    /// The current keys of cursors. A request reads them again for each cursor that it parses or makes.
    var codec: CursorCodec { currentCodec.withLock { $0 } }

    /// Replaces the keys of cursors. Responses with cursors of the previous keys are removed and not sent again.
    package func replaceSigningKey(by codec: CursorCodec) {
        currentCodec.withLock { $0 = codec }
        responses.removeAll()
    }

    /// Wakes the waiting requests after a publication or a restore.
    package func publish(_ head: PublishedHead) {
        guard head != waiters.head else { return }
        // The tails and the digests first: a response that is built after the responses are removed would otherwise
        // contain an old one.
        tails.publish(head)
        digests.removeAll()
        responses.removeAll()
        waiters.publish(head)
    }

    /// The number of the current second since the server started.
    var second: Int { Int(began.duration(to: .now).components.seconds) }

    /// Wakes waiting requests when it is their turn, until the task is canceled. The task must prefer the loop, which
    /// must not serve requests.
    package func wakeWaiters(on loop: EventLoop) async {
        while true {
            waiters.wakeSome()
            do throws(EventLoopError) { try await loop.sleep(until: .after(.milliseconds(10)), named: "sync: wake clients") } catch {
                return
            }
        }
    }

    /// Completes all waiting requests with what they have.
    package func startShutdown() { waiters.stop() }

    package var waiting: Int { waiters.count }

    func reader(on loop: EventLoop) -> SyncReader {
        let pool = self.pool(loop)
        return SyncReader(limits: limits.reading, PostgresSession(pool, within: Self.readTime))
    }
}

extension SyncScope.Content {
    var bytes: Int {
        switch self {
        case .catalog: 0
        case .feeds(let feeds, _): feeds.reduce(0) { $0 + 32 + $1.utf8.count }
        }
    }
}
