internal import CEvent

package struct Deadline: Sendable, Hashable, Comparable {
    /// By `CLOCK_MONOTONIC`.
    let nanoseconds: Int64

    package static let never = Deadline(nanoseconds: .max)

    package static var now: Deadline { Deadline(nanoseconds: MonotonicClock.now) }

    /// A duration from now. One below zero has passed; one beyond 292 years is never.
    package static func after(_ duration: Duration) -> Deadline { now.advanced(by: duration) }

    package func advanced(by duration: Duration) -> Deadline {
        guard self != .never else { return .never }
        let (sum, overflow) = nanoseconds.addingReportingOverflow(Int64(clampingNanosecondsOf: duration))
        return Deadline(nanoseconds: overflow ? (duration < .zero ? 0 : .max) : sum)
    }

    /// What is left, and zero once it has passed.
    package var remaining: Duration {
        let now = Deadline.now
        return self <= now ? .zero : .nanoseconds(nanoseconds - now.nanoseconds)
    }

    /// The time from another moment to this one, below zero where the other is later.
    package func duration(since other: Deadline) -> Duration {
        .nanoseconds(Int128(nanoseconds) - Int128(other.nanoseconds))
    }

    /// As `duration(since:)`, for what is counted often; 292 years at most.
    package func nanoseconds(since other: Deadline) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return overflow ? (self < other ? .min : .max) : difference
    }

    package static func < (left: Deadline, right: Deadline) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Int64 {
    /// Rounded up, so that nothing happens before its time.
    init(clampingNanosecondsOf duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let part = (attoseconds + 999_999_999) / 1_000_000_000
        let (sum, carry) = whole.addingReportingOverflow(part)
        self = overflow || carry ? (seconds < 0 ? .min : .max) : sum
    }
}

/// Nanoseconds of `CLOCK_MONOTONIC`, which only goes forward.
enum MonotonicClock {
    /// Costs about 50 ns.
    static var now: Int64 { cevent_clock() }

    /// As of the last tick of the kernel, up to 4 ms ago, for a third of the cost.
    static var coarse: Int64 { cevent_clock_coarse() }

    /// Stops both clocks of the calling thread at a moment above 0; nil returns to the system's.
    static func simulate(_ nanoseconds: Int64?) { cevent_simulate_clock(nanoseconds ?? 0) }
}

/// A length of time as deadlines count it, for those that are set again and again.
package struct Delay: Sendable, Hashable {
    private let nanoseconds: Int64

    /// Rounded up to a nanosecond; at most 292 years.
    package init(_ duration: Duration) { nanoseconds = Int64(clampingNanosecondsOf: duration) }

    /// By the clock of the kernel's ticks, and so up to 4 ms too early, for a third of what it costs to be exact.
    package var fromNow: Deadline {
        let (sum, overflow) = MonotonicClock.coarse.addingReportingOverflow(nanoseconds)
        return Deadline(nanoseconds: overflow ? .max : sum)
    }
}
