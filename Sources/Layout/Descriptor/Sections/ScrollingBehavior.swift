/// Whether a section scrolls across the page, and where it comes to rest.
package enum ScrollingBehavior: Sendable, Hashable {
    /// Scrolls with the page.
    case none
    case continuous
    case continuousGroupLeadingBoundary
    case paging
    case groupPaging
    case groupPagingCentered
}

/// How a section's scroller feels; nothing of it changes a frame.
package struct ScrollingProperties: Sendable, Hashable {
    package enum Bounce: Sendable, Hashable { case automatic, always, never }
    package enum DecelerationRate: Sendable, Hashable { case automatic, normal, fast }

    package var bounce: Bounce
    package var decelerationRate: DecelerationRate

    package static let automatic = ScrollingProperties()

    package init(bounce: Bounce = .automatic, decelerationRate: DecelerationRate = .automatic) {
        self.bounce = bounce
        self.decelerationRate = decelerationRate
    }
}
