internal import Glibc

/// A thread outside the cooperative pool, for work that blocks or must stay on one thread.
package enum Thread {
    /// The identity of a running thread, which the system may reuse after it ends.
    package struct ID: Sendable, Hashable {
        package let rawValue: UInt
        package init(rawValue: UInt) { self.rawValue = rawValue }
    }

    package static var current: ID { ID(rawValue: UInt(pthread_self())) }

    /// Starts a thread that runs `body`. It is never joined and receives no signals.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(HostError) {
        let argument = unsafe Unmanaged.passRetained(ThreadBody(run: body))
        let code = unsafe create(argument.toOpaque())
        guard code == 0 else {
            unsafe argument.release()
            throw HostError(HostError.Code(rawValue: code), "start", "a thread")
        }
    }

    /// Creates the thread with signals blocked. A thread inherits the mask, so it cannot be interrupted before it sets
    /// its own.
    private static func create(_ argument: UnsafeMutableRawPointer) -> Int32 {
        var before = sigset_t()
        var blocked = sigset_t()
        unsafe sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { unsafe sigdelset(&blocked, fault) }
        unsafe pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var id = pthread_t()
        let code = unsafe pthread_create(&id, nil, enter, argument)
        if code == 0 { pthread_detach(id) }
        return code
    }
}

private final class ThreadBody: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument = unsafe argument else { preconditionFailure("every thread is started with its body") }
    unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
