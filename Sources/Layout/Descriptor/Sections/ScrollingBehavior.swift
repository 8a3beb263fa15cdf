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
