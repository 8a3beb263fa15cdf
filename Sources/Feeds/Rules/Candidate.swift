/// An item that a rule matches, with what gave it its place.
package struct Candidate: Sendable, Hashable {
    package var facts: ItemFacts
    /// Of a chart, from 1.
    package var rank: Int?
    /// As the locale shows it, where titles are the order.
    package var title: String?
    /// That the title is grouped under, or `#`.
    package var letter: String?

    package init(facts: ItemFacts, rank: Int? = nil, title: String? = nil, letter: String? = nil) {
        self.facts = facts
        self.rank = rank
        self.title = title
        self.letter = letter
    }
}
