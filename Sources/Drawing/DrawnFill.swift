internal import Layout

/// A fill of a layout with the colors of a drawing.
struct DrawnFill {
    /// The colors from left to right or from top to bottom, at least one.
    private let colors: [String]
    private let isHorizontal: Bool

    /// Returns nil if the theme has none of the colors.
    init?(_ fill: ColorFill, _ theme: DrawingTheme, isRightToLeft: Bool) {
        let (all, axis) =
            switch fill {
            case .color(let color): ([color], Axis.vertical)
            case .gradient(let gradient): (gradient.colors, gradient.axis)
            }
        let known = all.compactMap { theme.value(of: $0) }
        guard !known.isEmpty else { return nil }
        isHorizontal = axis == .horizontal
        colors = axis == .horizontal && isRightToLeft ? known.reversed() : known
    }

    /// The fill as a value of CSS.
    var css: String {
        guard colors.count > 1 else { return colors[0] }
        return "linear-gradient(to \(isHorizontal ? "right" : "bottom"), \(colors.joined(separator: ", ")))"
    }

    /// Returns the fill as a value of SVG with the definition that it needs.
    func svg(id: String) -> (definition: String, value: String) {
        guard colors.count > 1 else { return ("", colors[0]) }
        let stops = colors.enumerated().map { index, color in
            "<stop offset=\"\((Double(index) / Double(colors.count - 1)).plain)\" stop-color=\"\(color)\"/>"
        }
        let end = isHorizontal ? "x2=\"1\" y2=\"0\"" : "x2=\"0\" y2=\"1\""
        return ("<linearGradient id=\"\(id)\" \(end)>\(stops.joined())</linearGradient>", "url(#\(id))")
    }
}
