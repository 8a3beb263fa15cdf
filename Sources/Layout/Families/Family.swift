/// The kind of layout that a curator chose, with the numbers that a client without compositional layout needs.
package struct Family: Sendable, Hashable {
    package enum Kind: String, CaseIterable, Sendable { case list, grid, nestedGroup, carousel }

    package static let maxTracks = 32

    package var kind: Kind
    /// The number of cells next to each other, from 1 to `maxTracks`.
    package let columns: Int
    /// The number of rows in a horizontal scroller, from 1 to `maxTracks`.
    package let rows: Int
    package var paging: ScrollingBehavior

    /// Creates a family. Numbers outside the limits are clamped.
    package init(_ kind: Kind, columns: Int = 1, rows: Int = 1, paging: ScrollingBehavior = .none) {
        self.kind = kind
        self.columns = min(max(columns, 1), Self.maxTracks)
        self.rows = min(max(rows, 1), Self.maxTracks)
        self.paging = paging
    }
}

extension Family {
    /// Derives the family that a section resembles most. Cells become a list, a grid or a carousel; nested groups
    /// become a nested group.
    package init(of section: LayoutSection) {
        let paging = section.orthogonalScrollingBehavior
        guard case .group(let item) = section.content else {
            self.init(.list)
            return
        }
        guard case .group(let group) = item.content, group.subitems.count == 1, let cell = group.subitems.first, cell.depth == 0 else {
            self.init(.nestedGroup, paging: paging)
            return
        }
        let count = group.copies(of: cell)
        let isRow = group.axis == .horizontal
        if paging != .none {
            self.init(.carousel, columns: isRow ? count : 1, rows: isRow ? 1 : count, paging: paging)
        } else if isRow, count > 1 {
            self.init(.grid, columns: count)
        } else {
            self.init(.list)
        }
    }
}

extension LayoutGroup {
    /// Returns the probable number of copies of a cell in a group. The exact number may depend on the screen.
    fileprivate func copies(of cell: LayoutItem) -> Int {
        switch (fill, axis == .horizontal ? cell.size.width : cell.size.height) {
        case (.equal(let copies), _), (.times(let copies), _): copies.count
        case (.repeat, .fractionalWidth(let fraction)) where axis == .horizontal: fraction.fitting
        case (.repeat, .fractionalHeight(let fraction)) where axis == .vertical: fraction.fitting
        case (.repeat, _): 1
        }
    }
}

extension Fraction {
    /// The number of copies that fit into the container, at most `Family.maxTracks`.
    fileprivate var fitting: Int {
        value > 0 ? Int(min(1.001 / value, Double(Family.maxTracks))) : 1
    }
}
