internal import Host
package import Layout
internal import Postgres

package final class AdminService: Sendable {
    let access: Authenticator
    let catalog: CatalogService
    let placeholders: PlaceholderCache
    let screens: ScreenMatrix
    /// The timeout of an admin request. Admin clients read whole pages and plans, and are few.
    let timeout: Duration
    /// The time for the rules of a review.
    let ruleTime: Duration
    /// The time for all rules of one composed document, so that a response is ready before the request times out.
    var timeForRules: Duration { timeout / 4 }
    /// The time for all reviews of a plan, which run one after another.
    let timeForPlans: Duration
    /// The time in which the plan of a publication may begin to compare the pages of further storefronts.
    let timeForComparisons: Duration
    /// The number of storefronts whose pages a plan composes in one step. Their rules share round trips.
    let comparedTogether: Int
    /// The schemes of the URLs that actions can open.
    let actionSchemes: Set<String>
    /// The worker that runs imports; nil if the server accepts no imports over the API.
    let imports: ImportWorker?
    private let limiters = Locked<[ObjectIdentifier: AdminConcurrencyLimiter]>([:])

    /// Creates the service. With `pages`, a preview of a live page reuses the placeholders that clients are shown.
    package init(
        _ catalog: CatalogService, pages: PageService? = nil, screens: ScreenMatrix, access: Authenticator,
        imports: ImportWorker? = nil, timeout: Duration = .seconds(20), ruleTime: Duration = .seconds(1),
        timeForPlans: Duration? = nil, timeForComparisons: Duration? = nil, comparedTogether: Int = 8,
        actionSchemes: Set<String> = ["https"]
    ) {
        self.catalog = catalog
        placeholders = pages?.placeholders ?? catalog.placeholders
        self.screens = screens
        self.access = access
        self.timeout = timeout
        self.ruleTime = ruleTime
        self.timeForPlans = timeForPlans ?? timeout / 5
        self.timeForComparisons = timeForComparisons ?? timeout / 2
        self.comparedTogether = comparedTogether
        self.actionSchemes = actionSchemes
        self.imports = imports
    }

    /// Returns the limiter of the requests that use the connections of a pool. A pool lives as long as the server.
    func limiter(of pool: PostgresPool) -> AdminConcurrencyLimiter {
        limiters.withLock { limiters in
            if let limiter = limiters[ObjectIdentifier(pool)] { return limiter }
            let limiter = AdminConcurrencyLimiter(connections: pool.maximum)
            limiters[ObjectIdentifier(pool)] = limiter
            return limiter
        }
    }
}
