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

    package var form: RuleNormalForm
    package var order: Order
    package var storefront: Storefront
    /// The current day in the storefront's time zone, which the normal form also uses.
    package var today: CalendarDay
    package var limit: Int
    package var exclusions: [UUID]

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
}
