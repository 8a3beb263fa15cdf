internal import CEvent

package struct Deadline: Sendable, Hashable, Comparable {
    /// The time of `CLOCK_MONOTONIC` in nanoseconds.
    let nanoseconds: Int64

    package static let never = Deadline(nanoseconds: .max)

    package static var now: Deadline { Deadline(nanoseconds: MonotonicClock.now) }

    /// Returns the deadline after a duration from now. A negative one has passed, and one beyond 292 years is never.
    package static func after(_ duration: Duration) -> Deadline { now.advanced(by: duration) }

    package func advanced(by duration: Duration) -> Deadline {
        guard self != .never else { return .never }
        let (sum, overflow) = nanoseconds.addingReportingOverflow(Int64(clampingNanosecondsOf: duration))
        return Deadline(nanoseconds: overflow ? (duration < .zero ? 0 : .max) : sum)
    }

    /// The remaining time, zero after the deadline has passed.
    package var remaining: Duration {
        let now = Deadline.now
        return self <= now ? .zero : .nanoseconds(nanoseconds - now.nanoseconds)
    }

    /// Returns the time since another deadline, negative if the other is later.
    package func duration(since other: Deadline) -> Duration {
        .nanoseconds(Int128(nanoseconds) - Int128(other.nanoseconds))
    }

    /// Returns the nanoseconds since another deadline, at most 292 years, for frequent use.
    package func nanoseconds(since other: Deadline) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return overflow ? (self < other ? .min : .max) : difference
    }

    package static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Int64 {
    /// Rounds up, so that nothing happens too early.
    init(clampingNanosecondsOf duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let part = (attoseconds + 999_999_999) / 1_000_000_000
        let (sum, carry) = whole.addingReportingOverflow(part)
        self = overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}

/// A clock that returns nanoseconds of `CLOCK_MONOTONIC`, which never goes back.
enum MonotonicClock {
    /// The exact time. A read costs about 50 ns.
    static var now: Int64 { cevent_clock() }

    /// Reads the time of the last kernel tick, up to 4 ms ago, for a third of the cost. On the thread of a loop, it is the time of
    /// everything that happens until the next call.
    static func startEvent() -> Int64 { cevent_clock_keep() }

    /// The time at which the event of a loop started, for a memory access. On other threads, the time of the last kernel tick.
    static var ofEvent: Int64 { cevent_clock_kept() }

    /// Ends the events of a loop. The next one starts at its own time.
    static func endEvents() { cevent_clock_forget() }

    /// Stops both clocks of the calling thread at a time above 0. nil restores the system clock.
    static func simulate(_ nanoseconds: Int64?) { cevent_simulate_clock(nanoseconds ?? 0) }
}

/// A duration in the units of deadlines, for frequent use.
package struct Delay: Sendable, Hashable {
    private let nanoseconds: Int64

    /// Rounds up to a nanosecond, at most 292 years.
    package init(_ duration: Duration) { nanoseconds = Int64(clampingNanosecondsOf: duration) }

    /// The deadline from the start of the loop's event, for the price of a memory access. All deadlines of an event need one
    /// read of the clock.
    ///
    /// It is early by up to 4 ms, because the clock is coarse, and by the time that the event has taken so far. An event that
    /// stalls the loop for a second takes this second from the clients of that event. If a deadline follows long work and must
    /// not be early, use `Deadline.after`.
    package var fromNow: Deadline {
        let (sum, overflow) = MonotonicClock.ofEvent.addingReportingOverflow(nanoseconds)
        return Deadline(nanoseconds: overflow ? .max : sum)
    }
}
