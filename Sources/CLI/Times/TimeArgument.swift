internal import Values

/// A time as typed: RFC 3339, a local time in a time zone, or a duration from now.
struct TimeArgument: Equatable {
    /// The reason that a text is not a time.
    struct ParseError: Error, Equatable {
        let message: String
    }

    static let forms = "an RFC 3339 time, \"YYYY-MM-DD HH:MM\" in the zone of --tz, or a duration from now such as +90m, -7d or +1w"

    let time: Timestamp

    init(_ text: String, in zone: TimeZone, now: Timestamp) throws(ParseError) {
        if let time = Timestamp(text) ?? Self.relative(text, to: now) {
            self.time = time
            return
        }
        guard let local = LocalTime(text) else {
            throw ParseError(message: "expected an RFC 3339 time, 'YYYY-MM-DD HH:MM' or '+2h'")
        }
        let times = zone.times(showing: local)
        guard let time = times.first else {
            throw ParseError(message: "\(local) does not exist in \(zone.name), where clocks skip it: expected an hour later")
        }
        guard times.count == 1 else {
            let candidates = times.map { "\($0.reported(in: zone))" }.joined(separator: " or ")
            throw ParseError(message: "\(local) occurs twice in \(zone.name): expected \(candidates)")
        }
        self.time = time
    }

    /// Parses `+90m`, `+2h`, `-1d` and `-1w`.
    private static func relative(_ text: String, to now: Timestamp) -> Timestamp? {
        let units: [Character: Int] = ["m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        let signs: [Character: Int] = ["+": 1, "-": -1]
        guard let sign = text.first.flatMap({ signs[$0] }), let unit = text.last.flatMap({ units[$0] }) else { return nil }
        let digits = text.dropFirst().dropLast()
        guard 1...5 ~= digits.count, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(digits) else { return nil }
        // A user who types a duration expects whole seconds.
        let start = Timestamp(clamping: now.microseconds / 1_000_000 * 1_000_000)
        return start.advanced(by: .seconds(sign * count * unit))
    }
}

extension Timestamp {
    /// Returns the time with the offset of a zone, to the second: `2026-12-24T18:00:00+01:00`.
    func reported(in zone: TimeZone) -> String {
        let offset = zone.offset(at: self)
        let local = Timestamp(clamping: Int(microseconds) + offset * 1_000_000).description.prefix(19)
        guard offset != 0 else { return "\(local)Z" }
        let (hours, minutes) = (abs(offset) / 3_600, abs(offset) / 60 % 60)
        return "\(local)\(offset < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// Returns the local time of a zone, to the minute: `2026-12-24 18:00`.
    func clock(in zone: TimeZone) -> String { String(zone.localTime(at: self).description.prefix(16)) }
}

extension PlannedTime {
    /// The time to the second in UTC, or a wall clock.
    var brief: String {
        switch self {
        case .instant(let instant): instant.toTheSecond
        case .wallClock(let time): "\(time) local time"
        }
    }

    /// Returns the time as a person reads it: `2026-12-24 18:00 UTC`, or `2026-12-24 18:00 local time`.
    func reported(in zone: TimeZone) -> String {
        switch self {
        case .instant(let instant): "\(instant.clock(in: zone)) \(zone.name)"
        case .wallClock(let time): "\(time) local time"
        }
    }
}
