internal import Layout

extension LayoutColor {
    /// The color in a drawing, which knows the token `accent`. nil stands for the default of the place.
    var drawn: String? {
        switch self {
        case .rgb: text
        case .token(let name): name == "accent" ? CellDrawing.Color.accent : nil
        }
    }
}

extension ColorFill {
    /// The colors of a drawing from left to right or from top to bottom. Empty if they are unknown.
    func drawnColors(isRightToLeft: Bool) -> [String] {
        switch self {
        case .color(let color): [color.drawn].compactMap(\.self)
        case .gradient(let gradient):
            isRightToLeft && isHorizontal
                ? gradient.colors.compactMap(\.drawn).reversed() : gradient.colors.compactMap(\.drawn)
        }
    }

    var isHorizontal: Bool {
        if case .gradient(let gradient) = self { gradient.axis == .horizontal } else { false }
    }

    /// Returns the fill as a value of CSS, or nil if its colors are unknown.
    func css(isRightToLeft: Bool) -> String? {
        let colors = drawnColors(isRightToLeft: isRightToLeft)
        guard colors.count > 1 else { return colors.first }
        return "linear-gradient(to \(isHorizontal ? "right" : "bottom"), \(colors.joined(separator: ", ")))"
    }

    /// Returns the fill as a value of SVG with the definition that it needs, or nil if its colors are unknown.
    func svg(id: String, isRightToLeft: Bool) -> (definition: String, value: String)? {
        let colors = drawnColors(isRightToLeft: isRightToLeft)
        guard colors.count > 1 else { return colors.first.map { ("", $0) } }
        let stops = colors.enumerated().map { index, color in
            "<stop offset=\"\((Double(index) / Double(colors.count - 1)).plain)\" stop-color=\"\(color)\"/>"
        }
        let end = isHorizontal ? "x2=\"1\" y2=\"0\"" : "x2=\"0\" y2=\"1\""
        return ("<linearGradient id=\"\(id)\" \(end)>\(stops.joined())</linearGradient>", "url(#\(id))")
    }
}
