package import Arguments
internal import Values

/// A daily time in UTC, to the minute.
package struct TimeOfDay: Sendable, Hashable, CustomStringConvertible {
    /// The minutes since midnight.
    package let minutes: Int

    /// Returns nil if the text is not a time such as `03:30`.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ part in part.count == 2 && part.allSatisfy(\.isDigit) }),
            let hour = Int(Substring(parts[0])), let minute = Int(Substring(parts[1])), hour < 24, minute < 60
        else { return nil }
        minutes = hour * 60 + minute
    }

    package var description: String { "\(minutes / 600)\(minutes / 60 % 10):\(minutes % 60 / 10)\(minutes % 10)" }

    /// Returns the next such time after `now`, both in microseconds since 1970.
    package func next(after now: Int) -> Int {
        let day = 86_400_000_000
        let today = now - ((now % day) + day) % day + minutes * 60_000_000
        return today > now ? today : today + day
    }
}

extension TimeOfDay {
    /// A timer for a time of day. The clock may be set back in between, even by years.
    package struct DailyTimer: Sendable {
        private let time: TimeOfDay
        private var start: Int

        package init(for time: TimeOfDay, from now: Int) {
            self.time = time
            start = now
        }

        /// Returns the remaining microseconds; zero or less if the time has come.
        package mutating func left(at now: Int) -> Int {
            start = min(start, now)
            return time.next(after: start) - now
        }
    }
}

extension ValueFormat where Value == TimeOfDay? {
    /// The format of `03:30`, or `never` for nil.
    package static var timeOfDay: ValueFormat {
        ValueFormat(
            "HH:MM",
            read: { text throws(InvalidValue) in
                if text == "never" { return nil }
                guard let time = TimeOfDay(text) else { throw InvalidValue(expected: "a time of day in UTC like 03:30, or never") }
                return time
            },
            write: { $0?.description ?? "never" })
    }
}
