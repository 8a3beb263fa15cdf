/// The screen of a client and the choice of its user. They decide which layouts of its sections the client draws.
struct TrialDisplay: Sendable {
    /// The text sizes in the order of `docs/layouts.md`.
    static let textSizes = [
        "xSmall", "small", "medium", "large", "xLarge", "xxLarge", "xxxLarge", "accessibilityMedium", "accessibilityLarge",
        "accessibilityExtraLarge", "accessibilityExtraExtraLarge", "accessibilityExtraExtraExtraLarge",
    ]

    /// The size in points.
    var width = 390
    var height = 844
    var horizontalSizeClass = "compact"
    var verticalSizeClass = "regular"
    var textSize = "large"
    /// The alternate that the user chose in each section that has it, or nil.
    var alternate: String?
}

extension TrialDisplay {
    init(using random: inout some RandomNumberGenerator) {
        width = Int.random(in: 300...1_400, using: &random)
        height = Int.random(in: 300...1_400, using: &random)
        horizontalSizeClass = Bool.random(using: &random) ? "compact" : "regular"
        verticalSizeClass = Bool.random(using: &random) ? "compact" : "regular"
        // Most users choose neither.
        if Int.random(in: 0..<4, using: &random) == 0 { textSize = Self.textSizes.randomElement(using: &random) ?? textSize }
        if Int.random(in: 0..<4, using: &random) == 0 { alternate = Bool.random(using: &random) ? "column" : "grid" }
    }
}
