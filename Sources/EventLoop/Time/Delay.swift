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
