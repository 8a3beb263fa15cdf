/// What a device takes off each edge of the screen; unlike insets it may be a part of a point.
package struct EdgeLengths: Sendable, Hashable {
    package var top: Magnitude
    package var leading: Magnitude
    package var bottom: Magnitude
    package var trailing: Magnitude

    package static let zero = EdgeLengths()

    package init(top: Magnitude = 0, leading: Magnitude = 0, bottom: Magnitude = 0, trailing: Magnitude = 0) {
        self.top = top
        self.leading = leading
        self.bottom = bottom
        self.trailing = trailing
    }
}
