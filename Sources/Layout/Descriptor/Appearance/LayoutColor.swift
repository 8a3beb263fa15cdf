/// A color of a layout. It is a value, or a token to which the client gives a value.
package enum LayoutColor: Sendable, Hashable {
    /// Red, green and blue with eight bits each.
    case rgb(UInt32)
    /// A name such as `accent`. A client that does not know the token uses its default color.
    case token(Name)

    var isToken: Bool {
        if case .token = self { true } else { false }
    }
}

/// The color of an area.
package enum ColorFill: Sendable, Hashable {
    case color(LayoutColor)
    case gradient(Gradient)

    /// Whether a color of the fill is a token.
    var usesTokens: Bool {
        switch self {
        case .color(let color): color.isToken
        case .gradient(let gradient): gradient.colors.contains { $0.isToken }
        }
    }
}

/// A gradient with evenly spaced colors, from leading to trailing or from top to bottom.
package struct Gradient: Sendable, Hashable {
    package static let colorCount = 2...8

    package let colors: [LayoutColor]
    package let axis: Axis

    /// Returns nil if the number of colors is not in `colorCount`.
    package init?(_ colors: [LayoutColor], along axis: Axis = .vertical) {
        guard Self.colorCount.contains(colors.count) else { return nil }
        self.colors = colors
        self.axis = axis
    }
}
