/// A detector of events that take too long, which records the event that the loop is handling.
///
/// It is an object, because the observer may enqueue work on this loop, which reads the current event.
final class StallDetector {
    private let loop: String
    private let threshold: Int64
    private let observer: @Sendable (EventLoopStall) -> Void
    /// The event that is being handled. New work inherits it.
    private(set) var event: WorkLabel = "task"
    /// The last time read from the coarse clock.
    private(set) var latest: Int64 = 0

    init(loop: String, threshold: Duration, observer: @escaping @Sendable (EventLoopStall) -> Void) {
        self.loop = loop
        self.threshold = Int64(clampingNanosecondsOf: threshold)
        self.observer = observer
    }

    func start(_ event: WorkLabel) {
        self.event = event
        latest = MonotonicClock.startEvent()
    }

    /// Starts the next of several events at the end of the previous one, which avoids reading the clock.
    func resume(with event: WorkLabel) { self.event = event }

    /// Returns the time spent, within the precision of the coarse clock.
    @discardableResult
    func end() -> Int64 {
        let now = MonotonicClock.startEvent()
        let spent = now &- latest
        latest = now
        if spent > threshold { observer(EventLoopStall(loop: loop, event: event, duration: .nanoseconds(spent))) }
        return spent
    }
}

/// An event that blocked its loop for too long.
package struct EventLoopStall: Sendable, Equatable {
    package let loop: String
    /// The event that was being handled. For a task, the event that last resumed it.
    package let event: WorkLabel
    /// The duration, accurate to a kernel tick of 4 ms.
    package let duration: Duration
}
