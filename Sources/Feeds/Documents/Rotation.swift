internal import Values

/// A sort that changes with time, so that every item gets its turn.
package struct Rotation: Sendable, Hashable {
    /// The seed. Two rotations of the same items with the same seed have the same order.
    package let seed: String
    package let every: RotationPeriod

    package init(seed: String, every: RotationPeriod) {
        self.seed = seed
        self.every = every
    }
}

/// The length of a step of a rotation: 1 to 999 whole weeks, days, hours or minutes. A period of whole days follows the
/// calendar of the storefront.
package struct RotationPeriod: Sendable, Hashable {
    private struct Unit {
        let prefix: String
        let suffix: String
        let minutes: Int
    }

    private static let units = [
        Unit(prefix: "P", suffix: "W", minutes: 10_080), Unit(prefix: "P", suffix: "D", minutes: 1_440),
        Unit(prefix: "PT", suffix: "H", minutes: 60), Unit(prefix: "PT", suffix: "M", minutes: 1),
    ]

    package let minutes: Int

    /// Reads an ISO 8601 duration with one unit, such as `P1D` or `PT30M`.
    package init?(_ text: String) {
        let bytes = text.utf8
        for unit in Self.units where bytes.starts(with: unit.prefix.utf8) && bytes.last == unit.suffix.utf8.first {
            let digits = bytes.dropFirst(unit.prefix.utf8.count).dropLast()
            guard (1...3).contains(digits.count), digits.first != UInt8(ascii: "0"),
                digits.allSatisfy(\.isDigit)
            else { continue }
            minutes = unit.minutes * digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            return
        }
        return nil
    }
}

extension RotationPeriod: CustomStringConvertible {
    /// The duration in the largest unit without a remainder: `PT24H` is `P1D`.
    package var description: String {
        guard let unit = Self.units.first(where: { minutes.isMultiple(of: $0.minutes) }) else { return "" }  // never: all are whole minutes
        return "\(unit.prefix)\(minutes / unit.minutes)\(unit.suffix)"
    }
}
