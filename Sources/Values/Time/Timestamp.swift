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

extension Timestamp {
    /// Reads RFC 3339 and nothing else; nil for days and times that no calendar has, for years outside of 1 to 9999 and for trailing text.
    ///
    /// An offset is converted to UTC. One to nine digits of fraction are read, those behind the sixth are dropped. A leap second (`:60`) is
    /// refused, as the count of microseconds has no place for it.
    package init?(_ text: String) {
        guard text.utf8.count <= TimestampScanner.longestText else { return nil }
        var scanner = TimestampScanner(text)
        guard let local = scanner.scanDateAndTime(), let offset = scanner.scanOffset(), scanner.isAtEnd else { return nil }
        self.init(microseconds: Int64(local.microseconds - offset * 60_000_000))
    }
}

extension Timestamp {
    /// The moment that much later, or earlier for a negative duration; stops at the first and the last one that can be told.
    ///
    /// Parts of a microsecond are dropped.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (span, spanOverflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        let (sum, sumOverflows) = microseconds.addingReportingOverflow(span)
        guard !isTooFar, !spanOverflows, !sumOverflows else { return seconds < 0 ? .earliest : .latest }
        return Timestamp(clamping: sum)
    }

    /// How long it is until another moment; negative where that one lies before.
    package func duration(to other: Timestamp) -> Duration {
        .microseconds(other.microseconds - microseconds)
    }
}

extension Timestamp {
    /// To the second, as header fields of HTTP have it: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpDate: String {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let civil = CivilTime(self)
        // From a Sunday before the year 1, so that no day is negative; 1970 began with a Thursday.
        let days = (Int(microseconds) - Int(Self.earliest.microseconds)) / CivilTime.microsecondsPerDay
        let weekday = weekdays[(days + 1) % 7]
        return "\(weekday), \(digits(civil.day, 2)) \(months[civil.month - 1]) \(digits(civil.year, 4)) "
            + "\(digits(civil.hour, 2)):\(digits(civil.minute, 2)):\(digits(civil.second, 2)) GMT"
    }

    private func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}

extension Timestamp: CustomStringConvertible {
    /// RFC 3339 in UTC with six digits of fraction, so that the order of texts is the order of moments: `2026-03-01T09:30:00.000000Z`.
    package var description: String {
        let time = CivilTime(self)
        let date = "\(time.year.padded(to: 4))-\(time.month.padded(to: 2))-\(time.day.padded(to: 2))"
        return "\(date)T\(time.clock).\(time.microsecond.padded(to: 6))Z"
    }

    /// The time of the day in UTC to the millisecond: `09:30:00.123`.
    package var timeOfDay: String {
        let time = CivilTime(self)
        return "\(time.clock).\((time.microsecond / 1_000).padded(to: 3))"
    }
}

extension CivilTime {
    fileprivate var clock: String { "\(hour.padded(to: 2)):\(minute.padded(to: 2)):\(second.padded(to: 2))" }
}

extension Int {
    fileprivate func padded(to width: Int) -> String {
        let digits = String(self)
        return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
