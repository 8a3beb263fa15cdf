/// On which items of a section a supplementary is shown.
package struct SupplementaryFrequency: Sendable, Hashable {
    /// Shown on one item of so many.
    package let every: Int
    /// Which of them it is, from 0.
    package let phase: Int
    /// Shown on items that carry the badge `new` alone.
    package let isForNewItems: Bool

    package static let always = SupplementaryFrequency(unchecked: 1, phase: 0)

    /// Nil unless `phase` is one of the `every`.
    package init?(every: Int, phase: Int = 0, isForNewItems: Bool = false) {
        guard every >= 1, phase >= 0, phase < every else { return nil }
        self.init(unchecked: every, phase: phase, isForNewItems: isForNewItems)
    }

    /// On the first of so many, for layouts that are written in the program.
    package static func firstOf(_ every: Int) -> SupplementaryFrequency {
        precondition(every >= 1)
        return SupplementaryFrequency(unchecked: every, phase: 0)
    }

    private init(unchecked every: Int, phase: Int, isForNewItems: Bool = false) {
        self.every = every
        self.phase = phase
        self.isForNewItems = isForNewItems
    }

    func includes(item: Int, isNew: Bool) -> Bool {
        item % every == phase && (isNew || !isForNewItems)
    }
}
