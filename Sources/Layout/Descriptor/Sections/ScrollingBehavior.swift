/// Whether a section scrolls across the page, and where it comes to rest.
package enum ScrollingBehavior: String, CaseIterable, Sendable {
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
    package enum Bounce: String, CaseIterable, Sendable { case automatic, always, never }
    package enum DecelerationRate: String, CaseIterable, Sendable { case automatic, normal, fast }

    package var bounce: Bounce = .automatic
    package var decelerationRate: DecelerationRate = .automatic

    package static let automatic = ScrollingProperties()
}
