/// The text size that a user chose, from the smallest to the largest. The names are Apple's.
package enum TextSize: String, CaseIterable, Sendable {
    case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
    case accessibilityMedium, accessibilityLarge, accessibilityExtraLarge, accessibilityExtraExtraLarge
    case accessibilityExtraExtraExtraLarge

    /// The size of a user who did not choose one.
    package static let standard = TextSize.large
    /// The largest size, which every layout must support.
    static let largest = TextSize.accessibilityExtraExtraExtraLarge

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension TextSize: Comparable {
    package static func < (a: TextSize, b: TextSize) -> Bool { a.rank < b.rank }
}
