/// Keeps account of what the loop is handling, and tells when one event took too long.
///
/// An object, because the observer may make work for this very loop, which asks what it is handling.
final class StallDetector {
    private let loop: String
    private let threshold: Int64
    private let observer: @Sendable (EventLoopStall) -> Void
    /// What is being handled; new work inherits it.
    private(set) var event: WorkLabel = "task"
    /// What the coarse clock said when it was last looked at.
    private(set) var latest: Int64 = 0

    init(loop: String, threshold: Duration, observer: @escaping @Sendable (EventLoopStall) -> Void) {
        self.loop = loop
        self.threshold = Int64(clampingNanosecondsOf: threshold)
        self.observer = observer
    }

    func begin(_ event: WorkLabel) {
        self.event = event
        latest = MonotonicClock.coarse
    }

    /// Begins the next of several events at the moment when the last one ended, which saves a look at the clock.
    func resume(with event: WorkLabel) { self.event = event }

    /// The time spent, as far as the coarse clock can tell.
    @discardableResult
    func end() -> Int64 {
        let now = MonotonicClock.coarse
        let spent = now &- latest
        latest = now
        if spent > threshold { observer(EventLoopStall(loop: loop, event: event, duration: .nanoseconds(spent))) }
        return spent
    }
}

/// The report of an event that kept everything else on its loop waiting.
package struct EventLoopStall: Sendable, Equatable {
    package let loop: String
    /// What was being handled; for a task, the event that last made it go on.
    package let event: WorkLabel
    /// To within a tick of the kernel, 4 ms.
    package let duration: Duration
}
