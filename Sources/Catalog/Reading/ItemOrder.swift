/// The order of a list of items.
package enum ItemOrder: Sendable, Equatable {
    /// The best rated first.
    case rating
    /// The last released first.
    case newest
    /// By the alphabet of the locale that is shown.
    case title
    /// That of a chart, which then is all that the list has.
    case chart(String)
}
