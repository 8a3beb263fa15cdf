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
