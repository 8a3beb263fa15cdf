package import JSON

package struct PageComparison: Sendable, Equatable {
    package let storefront: String
    /// The changes in the order of `FeedDiff.sections`.
    package let sections: [ClientPageChange]

    /// Compares two pages. Without an earlier one, the later one is compared with a page without sections.
    package init(from before: ClientPage?, to after: ClientPage?) {
        storefront = (after ?? before)?.storefront ?? ""
        let (previous, later) = (before?.sections ?? [], after?.sections ?? [])
        let order = SequenceDiff(from: previous.map(\.id), to: later.map(\.id))
        let old = Dictionary(previous.enumerated().map { ($1.id, ($0, $1)) }, uniquingKeysWith: { first, _ in first })
        let moved = Set(order.moved.map(\.element))
        let gone = order.removed.map { ClientPageChange(from: (previous[$0.position], $0.position), to: nil, isMoved: false) }
        let others = later.enumerated().map { index, section in
            ClientPageChange(from: old[section.id].map { ($0.1, $0.0) }, to: (section, index), isMoved: moved.contains(section.id))
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
