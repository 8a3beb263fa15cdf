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
