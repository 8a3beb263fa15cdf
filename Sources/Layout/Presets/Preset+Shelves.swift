extension Preset {
    /// The shelf of an app store's charts.
    static let shelves = [
        Preset(
            "top-apps-carousel", from: "App Store", "Columns of three rows; the next one peeks in.",
            parameters: [Parameter(name: "rows", abstract: "Rows in a column.", range: 1...8, standard: 3)]
        ) { arguments in
            CarouselForm(rows: arguments["rows"]).expansion
        }
    ]
}
