/// A point in time of the years 1 to 9999, to the microsecond, without a time zone.
package struct Timestamp: Sendable, Hashable, Comparable {
    /// The microseconds since 1970-01-01T00:00:00Z, without leap seconds.
    package let microseconds: Int64

    package static let earliest = Timestamp(unchecked: -62_135_596_800_000_000)
    package static let latest = Timestamp(unchecked: 253_402_300_799_999_999)
    package static let epoch = Timestamp(unchecked: 0)

    private init(unchecked microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Returns nil if the time is outside the years 1 to 9999.
    package init?(microseconds: Int64) {
        guard (Self.earliest.microseconds...Self.latest.microseconds).contains(microseconds) else { return nil }
        self.init(unchecked: microseconds)
    }

    /// Creates the nearest representable time, for clocks and sums that may have any value.
    package init(clamping microseconds: some BinaryInteger) {
        let bounded = Int64(clamping: microseconds)
        self.init(unchecked: min(max(bounded, Self.earliest.microseconds), Self.latest.microseconds))
    }

    package static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }
}

extension Timestamp {
    /// Parses RFC 3339 strictly. Returns nil if the date or time does not exist, the year is outside 1 to 9999, or text
    /// follows.
    ///
    /// An offset is converted to UTC. A fraction has one to nine digits, and digits after the sixth are dropped. A leap
    /// second (`:60`) is rejected, because microseconds cannot represent it.
    package init?(_ text: String) {
        guard text.utf8.count <= TimestampScanner.longestText else { return nil }
        var scanner = TimestampScanner(text)
        guard let local = scanner.scanDateAndTime(), let offset = scanner.scanOffset(), scanner.isAtEnd else { return nil }
        self.init(microseconds: Int64(local.microseconds - offset * 60_000_000))
    }
}

extension Timestamp {
    /// Returns the time after a duration, or before it if the duration is negative. Stops at the earliest and latest
    /// representable time.
    ///
    /// Fractions of a microsecond are dropped.
    package func advanced(by duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (span, spanOverflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        let (sum, sumOverflows) = microseconds.addingReportingOverflow(span)
        guard !isTooFar, !spanOverflows, !sumOverflows else { return seconds < 0 ? .earliest : .latest }
        return Timestamp(clamping: sum)
    }

    /// Returns the duration until another time, negative if the other is earlier.
    package func duration(to other: Timestamp) -> Duration {
        .microseconds(other.microseconds - microseconds)
    }
}

extension Timestamp {
    /// The time to the second in the form of HTTP header fields: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var httpDate: String {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let civil = CivilTime(self)
        // Counts from a Sunday before the year 1, so that no day is negative. 1970 began with a Thursday.
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
    /// The RFC 3339 form in UTC with six fraction digits, so that the order of texts is the order of times:
    /// `2026-03-01T09:30:00.000000Z`.
    package var description: String {
        let time = CivilTime(self)
        return unsafe String(unsafeUninitializedCapacity: 27) { text in
            var end = 0
            func append(_ number: Int, digits: Int, _ separator: Unicode.Scalar) {
                var rest = number
                for position in stride(from: end + digits - 1, through: end, by: -1) {
                    unsafe text[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
                unsafe text[end + digits] = UInt8(ascii: separator)
                end += digits + 1
            }
            append(time.year, digits: 4, "-")
            append(time.month, digits: 2, "-")
            append(time.day, digits: 2, "T")
            append(time.hour, digits: 2, ":")
            append(time.minute, digits: 2, ":")
            append(time.second, digits: 2, ".")
            append(time.microsecond, digits: 6, "Z")
            return end
        }
    }

    /// The RFC 3339 form in UTC to the second: `2026-03-01T09:30:00Z`.
    package var toTheSecond: String { "\(description.prefix(19))Z" }

    /// The time of day in UTC to the millisecond: `09:30:00.123`.
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
