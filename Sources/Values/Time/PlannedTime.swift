/// A time of a publication or a section: an instant, or a wall clock, which is another instant in each time zone.
package enum PlannedTime: Sendable, Hashable {
    case instant(Timestamp)
    /// A local time in whole minutes.
    case wallClock(LocalTime)

    /// Parses `2026-12-24T17:00:00Z`, with any offset, as an instant and `2026-12-24T18:00` as a wall clock.
    package init?(_ text: String) {
        if let instant = Timestamp(text) {
            self = .instant(instant)
        } else if text.utf8.count == 16, text.utf8.dropFirst(10).first == UInt8(ascii: "T"), let time = LocalTime(text) {
            self = .wallClock(time)
        } else {
            return nil
        }
    }

    package var isWallClock: Bool { if case .wallClock = self { true } else { false } }

    /// The shortest text that ``init(_:)`` parses as this time: an instant has no fraction if it is a whole second.
    package var canonical: String {
        guard case .instant(let instant) = self, instant.microseconds % 1_000_000 == 0 else { return description }
        return instant.toTheSecond
    }

    /// Whether the time is before the year 9999. A later wall clock is an instant in the west that no ``Timestamp``
    /// represents, and a later instant is such a time on the clocks of the east.
    package var isInRange: Bool {
        switch self {
        case .instant(let instant): instant < Self.end
        case .wallClock(let time): time.inUTC < Self.end
        }
    }

    /// 9999-01-01T00:00:00Z.
    private static let end = Timestamp(clamping: 253_370_764_800_000_000)
}

extension PlannedTime: CustomStringConvertible {
    /// The text that ``init(_:)`` parses.
    package var description: String {
        switch self {
        case .instant(let instant): instant.description
        case .wallClock(let time): time.description.split(separator: " ").joined(separator: "T")
        }
    }
}
