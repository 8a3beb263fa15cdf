internal import CEvent

/// Nanoseconds of `CLOCK_MONOTONIC`, which only goes forward.
enum MonotonicClock {
    /// Costs about 50 ns.
    static var now: Int64 { cevent_clock() }

    /// As of the last tick of the kernel, up to 4 ms ago, for a third of the cost.
    static var coarse: Int64 { cevent_clock_coarse() }

    /// Stops both clocks of the calling thread at a moment above 0; nil returns to the system's.
    static func simulate(_ nanoseconds: Int64?) { cevent_simulate_clock(nanoseconds ?? 0) }
}
