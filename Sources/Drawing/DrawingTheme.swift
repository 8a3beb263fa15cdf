internal import Feeds
internal import Layout

/// The colors of the color tokens in a drawing.
struct DrawingTheme {
    private let colors: [Name: String]

    init(_ theme: FeedTheme = FeedTheme(), in appearance: FeedTheme.Appearance = .light) {
        colors = theme.colors.mapValues { $0.value(in: appearance).text }
    }

    /// The color of the token `accent`, which buttons and links have.
    var accent: String { colors["accent"] ?? CellDrawing.Color.accent }

    /// Returns a color of a layout for a drawing. nil stands for the default of the place.
    func value(of color: LayoutColor) -> String? {
        switch color {
        case .rgb: color.text
        case .token(let token): token == "accent" ? accent : colors[token]
        }
    }
}
