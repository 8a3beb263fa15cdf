/// An item that a rule matches, with what gave it its place.
package struct Candidate: Sendable, Hashable {
    package var facts: ItemFacts
    /// Of a chart, from 1.
    package var rank: Int?
    /// As the locale shows it, where titles are the order.
    package var title: String?
    /// That the title is grouped under, or `#`.
    package var letter: String?
}
