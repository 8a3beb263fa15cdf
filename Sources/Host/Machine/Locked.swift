internal import Glibc

/// A value protected by a lock. Hold the lock for a few instructions only, and never during a call into other code.
///
/// It uses a `pthread` mutex, because the thread sanitizer reports false races in the contended path of
/// `Synchronization.Mutex`.
@safe package final class Locked<Value: Sendable>: @unchecked Sendable {
    // Unchecked: `value` is accessed only while `mutex` is locked, and the address of `mutex` never changes.
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
