package import JSON

package struct PageComparison: Sendable, Equatable {
    package let storefront: String
    /// The changes in the order of `FeedDiff.sections`.
    package let sections: [ClientPageChange]

    /// Compares two pages. Without an earlier one, the later one is compared with a page without sections.
    package init(from before: ClientPage?, to after: ClientPage?) {
        storefront = (after ?? before)?.storefront ?? ""
        let (earlier, later) = (before?.sections ?? [], after?.sections ?? [])
        let order = SequenceDiff(from: earlier.map(\.id), to: later.map(\.id))
        let old = Dictionary(earlier.enumerated().map { ($1.id, ($0, $1)) }, uniquingKeysWith: { first, _ in first })
        let moved = Set(order.moved.map(\.element))
        let gone = order.removed.map { ClientPageChange(from: (earlier[$0.place], $0.place), to: nil, isMoved: false) }
        let others = later.enumerated().map { place, section in
            ClientPageChange(from: old[section.id].map { ($0.1, $0.0) }, to: (section, place), isMoved: moved.contains(section.id))
        }
        sections = gone + others.filter { !$0.isNothing }
    }

    package var isEmpty: Bool { sections.isEmpty }

    package var lines: [DiffLine] { sections.flatMap(\.lines) }

    /// Whether another storefront has the same changes, apart from their titles.
    package func isAlike(_ other: PageComparison) -> Bool { sections.map(\.withoutTitles) == other.sections.map(\.withoutTitles) }
}

extension PageComparison: JSONObjectEncodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("storefront", storefront)
        json.member("sections", sections)
    }
}
