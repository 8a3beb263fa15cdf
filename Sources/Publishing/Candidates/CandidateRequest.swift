package import Feeds
package import Items
package import Values

/// What is to fill a section: the first items of an order that a rule matches.
package struct CandidateRequest: Sendable {
    package enum Order: Sendable, Equatable {
        /// What is on it, from its first rank on.
        case chart(String)
        /// The best rated first.
        case rating
        /// The newest first.
        case release
        /// By the alphabet of the locale that is wanted.
        case title(LocaleFallback)
        case rotation(Rotation)
    }

    package var form: RuleNormalForm
    package var order: Order
    package var storefront: Storefront
    /// In the storefront's time zone, as for the form.
    package var today: CalendarDay
    package var limit: Int
    package var exclusions: [UUID]

    /// The rule has a normal form; see `RuleNormalForm.check`.
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
