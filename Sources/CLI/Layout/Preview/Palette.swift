/// The colours of the sections, which repeat.
struct Palette {
    struct Tint {
        /// Of large cells, of small cells, of their borders and of their numbers.
        let strong: String, soft: String, border: String, ink: String
        /// The colour of a terminal.
        let terminal: Int
    }

    static func tint(_ section: Int) -> Tint { tints[section % tints.count] }

    private static let tints = [
        Tint(strong: "#9db1fb", soft: "#cfd9fd", border: "#6f88ee", ink: "#22306f", terminal: 34),
        Tint(strong: "#7fd3c1", soft: "#c4ebe2", border: "#3fae98", ink: "#0c4a3e", terminal: 36),
        Tint(strong: "#f9bd84", soft: "#fde0c4", border: "#ea9440", ink: "#6b3a08", terminal: 33),
        Tint(strong: "#f0a3c0", soft: "#f9d5e2", border: "#da6f98", ink: "#661b3b", terminal: 35),
        Tint(strong: "#9fcdf5", soft: "#d2e8fb", border: "#5ba3e0", ink: "#123f66", terminal: 32),
    ]
}
