/// The scrolling of a section across the page, and its resting positions.
package enum ScrollingBehavior: String, CaseIterable, Sendable {
    /// The section scrolls with the page.
    case none
    case continuous
    case continuousGroupLeadingBoundary
    case paging
    case groupPaging
    case groupPagingCentered
}

/// Properties of a section's scroller that do not change any frame.
package struct ScrollingProperties: Sendable, Hashable {
    package enum Bounce: String, CaseIterable, Sendable { case automatic, always, never }
    package enum DecelerationRate: String, CaseIterable, Sendable { case automatic, normal, fast }

    package var bounce: Bounce = .automatic
    package var decelerationRate: DecelerationRate = .automatic

    package static let automatic = ScrollingProperties()
}
