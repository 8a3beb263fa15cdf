/// What is taken off each edge of a rectangle.
package struct Insets: Sendable, Hashable {
    package var top: Inset
    package var leading: Inset
    package var bottom: Inset
    package var trailing: Inset

    package static let zero = Insets()

    package init(top: Inset = 0, leading: Inset = 0, bottom: Inset = 0, trailing: Inset = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }

    /// The same on all edges.
    package init(all inset: Inset) {
        self.init(top: inset, leading: inset, bottom: inset, trailing: inset)
    }
}
