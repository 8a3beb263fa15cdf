/// Room outside of an item, on each of its edges.
package struct EdgeSpacing: Sendable, Hashable {
    package var top: Spacing
    package var leading: Spacing
    package var bottom: Spacing
    package var trailing: Spacing

    package static let zero = EdgeSpacing()

    package init(top: Spacing = .zero, leading: Spacing = .zero, bottom: Spacing = .zero, trailing: Spacing = .zero) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}
