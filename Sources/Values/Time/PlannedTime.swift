/// A time of a publication: an instant, or a wall clock, which is another instant in each time zone.
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
