/// A day of the Gregorian calendar in the years 1 to 9999.
package struct CalendarDay: Sendable, Hashable {
    package let daysSince1970: Int

    /// Returns nil if the day is outside these years.
    package init?(daysSince1970 days: Int) {
        guard (Self.first...Self.last).contains(days) else { return nil }
        daysSince1970 = days
    }

    package init(_ timestamp: Timestamp) {
        daysSince1970 = Int(timestamp.microseconds).flooredQuotient(by: CivilTime.microsecondsPerDay)
    }

    /// Parses a day in RFC 3339 form, `2026-03-01`. Returns nil if it does not exist.
    package init?(_ text: String) {
        var scanner = TimestampScanner(text)
        guard let midnight = scanner.scanDate(), scanner.isAtEnd else { return nil }
        daysSince1970 = midnight.microseconds / CivilTime.microsecondsPerDay
    }

    private var start: Timestamp { Timestamp(clamping: daysSince1970 * CivilTime.microsecondsPerDay) }

    private static let first = CalendarDay(.earliest).daysSince1970
    private static let last = CalendarDay(.latest).daysSince1970
}

extension CalendarDay: Comparable {
    package static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.daysSince1970 < right.daysSince1970 }
}

extension CalendarDay: CustomStringConvertible {
    /// The RFC 3339 form, so that the order of texts is the order of days.
    package var description: String { String(start.description.prefix(10)) }
}
