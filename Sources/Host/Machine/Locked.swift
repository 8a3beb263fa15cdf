internal import Glibc

/// A value that one thread at a time may touch; hold it for a few instructions and never across a call into other code.
///
/// A `pthread` mutex and not `Synchronization.Mutex`, in whose contended path the thread sanitizer sees races that are none.
@safe package final class Locked<Value: Sendable>: @unchecked Sendable {
    // Unchecked: `value` is touched only between lock and unlock of `mutex`, whose address never changes.
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
