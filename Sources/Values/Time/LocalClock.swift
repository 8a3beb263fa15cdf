/// The instants at which the clocks of a time zone show some wall-clock times.
///
/// The database computes them, so that the zone rules of this machine do not matter.
package struct LocalClock: Sendable, Hashable {
    private let instants: [LocalTime: Timestamp]

    package init(_ instants: [LocalTime: Timestamp] = [:]) { self.instants = instants }

    /// Returns the instant of a time, or nil if it is a wall-clock time whose instant was not computed.
    package func instant(of time: PlannedTime) -> Timestamp? {
        switch time {
        case .instant(let instant): instant
        case .wallClock(let time): instants[time]
        }
    }
}
