/// The order of the items that a rule finds.
package enum Sort: Sendable, Hashable {
    /// The places of a chart of the storefront; only what is on it is shown.
    case chart(String)
    /// The best first.
    case rating
    /// The newest first.
    case releaseDate
    /// As the locale sorts.
    case title
    case rotation(Rotation)

    /// The best first.
    package static let standard = Sort.rating
}
