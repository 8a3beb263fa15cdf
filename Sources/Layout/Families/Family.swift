/// The kind of layout that a curator chose, with the few numbers that a client without compositional layout needs for it.
package struct Family: Sendable, Hashable {
    package enum Kind: Sendable, Hashable { case list, grid, nestedGroup, carousel }

    package static let mostTracks = 32

    package var kind: Kind
    /// Cells beside each other, from 1 to `mostTracks`.
    package let columns: Int
    /// Cells above each other in what scrolls sideways, from 1 to `mostTracks`.
    package let rows: Int
    package var paging: ScrollingBehavior

    /// Numbers out of bounds are taken to the nearest bound.
    package init(_ kind: Kind, columns: Int = 1, rows: Int = 1, paging: ScrollingBehavior = .none) {
        self.kind = kind
        self.columns = min(max(columns, 1), Self.mostTracks)
        self.rows = min(max(rows, 1), Self.mostTracks)
        self.paging = paging
    }
}
