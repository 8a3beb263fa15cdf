/// A moment of the years 1 to 9999, exact to the microsecond, without a time zone.
package struct Timestamp: Sendable, Hashable, Comparable {
    /// Since 1970-01-01T00:00:00Z, leap seconds not counted.
    package let microseconds: Int64

    package static let earliest = Timestamp(unchecked: -62_135_596_800_000_000)
    package static let latest = Timestamp(unchecked: 253_402_300_799_999_999)
    package static let epoch = Timestamp(unchecked: 0)

    private init(unchecked microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Nil outside of the years 1 to 9999.
    package init?(microseconds: Int64) {
        guard (Self.earliest.microseconds...Self.latest.microseconds).contains(microseconds) else { return nil }
        self.init(unchecked: microseconds)
    }

    /// The nearest moment that can be told, for clocks and sums that may be anything.
    package init(clamping microseconds: some BinaryInteger) {
        let bounded = Int64(clamping: microseconds)
        self.init(unchecked: min(max(bounded, Self.earliest.microseconds), Self.latest.microseconds))
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }
}
