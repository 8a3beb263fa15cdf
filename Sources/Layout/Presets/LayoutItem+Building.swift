// Helpers for writing presets.

extension LayoutItem {
    static func cell(_ width: Dimension, _ height: Dimension, insets: Insets = .zero, slot: Name? = nil) -> LayoutItem {
        LayoutItem(.cell(slot: slot), size: LayoutSize(width: width, height: height), contentInsets: insets)
    }

    static func row(
        _ width: Dimension, _ height: Dimension, _ subitems: LayoutItem..., fill: Fill = .repeat, gap: Magnitude = 0,
        insets: Insets = .zero
    ) -> LayoutItem {
        group(.horizontal, LayoutSize(width: width, height: height), subitems, fill, gap, insets)
    }

    static func column(
        _ width: Dimension, _ height: Dimension, _ subitems: LayoutItem..., fill: Fill = .repeat, gap: Magnitude = 0,
        insets: Insets = .zero
    ) -> LayoutItem {
        group(.vertical, LayoutSize(width: width, height: height), subitems, fill, gap, insets)
    }

    private static func group(
        _ axis: Axis, _ size: LayoutSize, _ subitems: [LayoutItem], _ fill: Fill, _ gap: Magnitude, _ insets: Insets
    ) -> LayoutItem {
        do throws(LayoutError) {
            let group = try LayoutGroup(axis, subitems: subitems, fill: fill, interItemSpacing: .fixed(gap))
            return LayoutItem(.group(group), size: size, contentInsets: insets)
        } catch {
            preconditionFailure("a preset is neither too deep nor too full")
        }
    }
}

extension Dimension {
    static let fullWidth = Dimension.fractionalWidth(.whole)
    static let fullHeight = Dimension.fractionalHeight(.whole)

    static func width(_ fraction: Magnitude) -> Dimension { .fractionalWidth(.decimal(fraction)) }

    static func width(_ numerator: Int, of denominator: Int) -> Dimension { .fractionalWidth(.part(numerator, of: denominator)) }

    static func height(_ fraction: Magnitude) -> Dimension { .fractionalHeight(.decimal(fraction)) }

    static func height(_ numerator: Int, of denominator: Int) -> Dimension { .fractionalHeight(.part(numerator, of: denominator)) }
}
