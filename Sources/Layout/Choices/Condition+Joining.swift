extension Condition {
    /// Returns the condition that holds if both hold, or nil if no screen meets both.
    func joined(with other: Condition) -> Condition? {
        guard
            (horizontalSizeClass ?? other.horizontalSizeClass) == (other.horizontalSizeClass ?? horizontalSizeClass),
            (verticalSizeClass ?? other.verticalSizeClass) == (other.verticalSizeClass ?? verticalSizeClass)
        else { return nil }
        let joined = Condition(
            horizontalSizeClass: horizontalSizeClass ?? other.horizontalSizeClass,
            verticalSizeClass: verticalSizeClass ?? other.verticalSizeClass,
            minWidth: Self.stricter(minWidth, other.minWidth) { $0.value > $1.value },
            maxWidth: Self.stricter(maxWidth, other.maxWidth) { $0.value < $1.value },
            minHeight: Self.stricter(minHeight, other.minHeight) { $0.value > $1.value },
            maxHeight: Self.stricter(maxHeight, other.maxHeight) { $0.value < $1.value },
            minTextSize: Self.stricter(minTextSize, other.minTextSize) { $0 > $1 },
            maxTextSize: Self.stricter(maxTextSize, other.maxTextSize) { $0 < $1 })
        return joined.canHold ? joined : nil
    }

    /// Returns the bound that fewer screens meet. Without one of the bounds, that is the other one.
    private static func stricter<Bound>(_ a: Bound?, _ b: Bound?, _ isStricter: (Bound, Bound) -> Bool) -> Bound? {
        guard let a, let b else { return a ?? b }
        return isStricter(b, a) ? b : a
    }

    /// Whether no minimum is above its maximum.
    private var canHold: Bool {
        (minWidth?.value ?? 0) <= (maxWidth?.value ?? Magnitude.greatest)
            && (minHeight?.value ?? 0) <= (maxHeight?.value ?? Magnitude.greatest)
            && (minTextSize ?? .xSmall) <= (maxTextSize ?? .largest)
    }
}
