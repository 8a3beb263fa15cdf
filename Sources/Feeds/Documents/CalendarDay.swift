internal import Time

/// A day from 1970 to 2199, as the catalog has them.
package struct CalendarDay: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// As in RFC 3339: `2026-03-01`, so that the order of texts is the order of days.
    package let description: String

    /// Nil for a day that no calendar has.
    package init?(_ text: String) {
        guard text.utf8.count == 10, Timestamp("\(text)T00:00:00Z") != nil, text >= "1970-01-01", text <= "2199-12-31" else { return nil }
        description = text
    }

    package static func < (a: CalendarDay, b: CalendarDay) -> Bool { a.description < b.description }
}
