/// A calendar and clock time to the second, which is a point in time only together with a time zone.
package struct LocalTime: Sendable, Hashable, Comparable {
    /// The point in time at which a clock in UTC shows this time.
    let inUTC: Timestamp

    init(inUTC: Timestamp) { self.inUTC = inUTC }

    package static func < (a: LocalTime, b: LocalTime) -> Bool { a.inUTC < b.inUTC }

    /// Whether a clock in UTC shows this time at one of the given times.
    package func isWithin(_ times: Range<Timestamp>) -> Bool { times.contains(inUTC) }

    /// Parses `2026-12-24` as its midnight, `2026-12-24 18:00` and `2026-12-24T18:00:30`. Returns nil if the time does
    /// not exist.
    package init?(_ text: String) {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
        var clock = parts.count == 2 ? String(parts[1]) : "00:00"
        if clock.utf8.count == 5 { clock += ":00" }
        guard clock.utf8.count == 8, let time = Timestamp("\(parts[0])T\(clock)Z") else { return nil }
        inUTC = time
    }
}

extension LocalTime: CustomStringConvertible {
    /// The time without zero seconds: `2026-12-24 18:00`.
    package var description: String {
        let text = inUTC.description
        let seconds = text.dropFirst(17).prefix(2)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))\(seconds == "00" ? "" : ":\(seconds)")"
    }
}
