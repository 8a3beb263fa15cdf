internal import Glibc

/// A value that one thread provides and another waits for, blocked.
@safe package final class BlockingPromise<Value: Sendable>: @unchecked Sendable {
    // Unchecked: the semaphore's address never changes, and its functions are thread-safe.
    private let value = Locked<Value?>(nil)
    private let arrival: UnsafeMutablePointer<sem_t>

    package init() {
        unsafe arrival = .allocate(capacity: 1)
        unsafe arrival.initialize(to: sem_t())
        unsafe sem_init(arrival, 0, 0)
    }

    deinit {
        unsafe sem_destroy(arrival)
        unsafe arrival.deallocate()
    }

    /// Provides the value. Call it once.
    package func fulfill(_ value: Value) {
        self.value.withLock { $0 = value }
        unsafe sem_post(arrival)
    }

    /// Blocks until the value is available, and returns nil after the limit. Call it once.
    package func wait(within limit: Duration) -> Value? {
        let end = ContinuousClock.now + limit
        while true {
            if let value = value.withLock({ $0 }) { return value }
            let rest = ContinuousClock.now.duration(to: end)
            guard rest > .zero else { return nil }
            waitForArrival(atMost: min(rest, .seconds(1)))
        }
    }

    /// Waits for the value, only briefly because the semaphore uses the wall clock, which may be changed.
    private func waitForArrival(atMost duration: Duration) {
        let nanoseconds = Int(SystemInfo.wallClock) * 1_000 + Int(duration / .nanoseconds(1))
        var end = timespec(tv_sec: nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
        _ = retryingOnInterrupt { unsafe sem_timedwait(arrival, &end) }
    }

    /// Blocks until the value is available. Call it once.
    package func wait() -> Value {
        while true {
            _ = retryingOnInterrupt { unsafe sem_wait(arrival) }
            if let value = value.withLock({ $0 }) { return value }
        }
    }
}
