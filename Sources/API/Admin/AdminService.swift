internal import Host
package import Layout
internal import Postgres

package final class AdminService: Sendable {
    let access: Authenticator
    let catalog: CatalogService
    let placeholders: PlaceholderCache
    let screens: ScreenMatrix
    /// For an answer: those who wait for it read whole pages and plans, and are few.
    let timeout: Duration
    /// For the rules of a review.
    let ruleTime: Duration
    /// The time for all rules of one composed document, so that a response is ready before the request times out.
    var timeForRules: Duration { timeout / 4 }
    /// For all reviews of a plan together, begun one behind another.
    let timeForPlans: Duration
    /// The time in which the plan of a publication may begin to compare the pages of further storefronts.
    let timeForComparisons: Duration
    /// The number of storefronts whose pages a plan composes in one step.
    let comparedTogether: Int
    /// Nil where nothing is imported over the API.
    let imports: ImportWorker?
    private let limiters = Locked<[ObjectIdentifier: AdminConcurrencyLimiter]>([:])

    /// With the pages that clients are shown it draws nothing anew for a preview that is on one of them.
    package init(
        _ catalog: CatalogService, pages: PageService? = nil, screens: ScreenMatrix, access: Authenticator,
        imports: ImportWorker? = nil, timeout: Duration = .seconds(20), ruleTime: Duration = .seconds(1),
        timeForPlans: Duration? = nil, timeForComparisons: Duration? = nil, comparedTogether: Int = 5
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
        self.imports = imports
    }

    /// Of those who work with the connections of a pool, which lives as long as the server.
    func limiter(of pool: PostgresPool) -> AdminConcurrencyLimiter {
        limiters.withLock { limiters in
            if let limiter = limiters[ObjectIdentifier(pool)] { return limiter }
            let limiter = AdminConcurrencyLimiter(connections: pool.maximum)
            limiters[ObjectIdentifier(pool)] = limiter
            return limiter
        }
    }
}
