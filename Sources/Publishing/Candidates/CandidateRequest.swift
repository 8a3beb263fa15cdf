package import Feeds
package import Items
package import Values

/// A request for the items of a section: the first items that a rule matches, in an order.
package struct CandidateRequest: Sendable, Equatable {
    package enum Order: Sendable, Equatable {
        /// The items of a chart, from its first rank.
        case chart(String)
        /// The best rated first.
        case rating
        /// The newest first.
        case release
        /// The collation of the wanted locale.
        case title(LocaleFallback)
        /// The items of a step, and those after it. A step moves by a number of items.
        case rotation(Rotation, by: Int)
    }

    /// The items for the clients of a platform. They are the first ones of the order that run there.
    package struct PlatformPart: Sendable, Equatable {
        package var limit: Int
        /// The number of items by which a step of a rotation moves, over the items that run on the platform.
        package var step = 0
        /// Whether another query is worth it if the first one does not find enough items.
        package var isServed = true

        package init(limit: Int, step: Int = 0, isServed: Bool = true) {
            self.limit = limit
            self.step = step
            self.isServed = isServed
        }
    }

    package var form: RuleNormalForm
    package var order: Order
    package var storefront: Storefront
    /// The current day in the storefront's time zone, which the normal form also uses.
    package var today: CalendarDay
    /// The number of items for clients that state no platform, who can see all items.
    package var limit: Int
    package var exclusions: [UUID]
    /// The parts of the platforms for whose clients items are also found. Empty if all clients can see all items.
    package var platforms: [String: PlatformPart] = [:]

    /// Creates a request. The rule must have a normal form. See `RuleNormalForm.check`.
    package init(
        _ form: RuleNormalForm, by order: Order, in context: RuleContext, limit: Int, exclusions: [UUID] = []
    ) {
        self.form = form
        self.order = order
        storefront = context.storefront
        today = context.today
        self.limit = limit
        self.exclusions = exclusions
    }

    /// Returns the served platforms on which too few of the candidates run, sorted. A query of their own finds no more than the
    /// maximum number of candidates.
    func shortPlatforms(with candidates: [Candidate]) -> [String] {
        platforms.filter { platform, part in
            part.isServed && candidates.running(on: platform).count < min(part.limit, CandidateReader.maxCandidates)
        }.keys.sorted()
    }
}

/// The items that a request found.
package struct FoundCandidates: Sendable, Equatable {
    /// The items in their order, with the items for the clients of each platform. Those of a rotation are for clients that
    /// state no platform.
    package var items: [Candidate] = []
    /// The items of a rotation for the clients of each platform, in their order.
    package var byPlatform: [String: [Candidate]] = [:]

    /// The items for all clients. Some can occur several times.
    var all: some Sequence<Candidate> { [[items], Array(byPlatform.values)].joined().joined() }
}
