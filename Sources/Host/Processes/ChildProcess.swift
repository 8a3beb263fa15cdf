internal import Glibc

/// A process started by this one. It continues when this value ends, so its owner must stop it.
package struct ChildProcess: ~Copyable, Sendable {
    package let id: Int32
    private var status: ProcessStatus?

    init(id: Int32) { self.id = id }

    /// Returns the exit status, or nil while it runs. Never waits.
    package mutating func ended() -> ProcessStatus? {
        if status == nil { status = reap(WNOHANG) }
        return status
    }

    /// Waits until the process ends.
    package mutating func wait() throws(HostError) -> ProcessStatus {
        if status == nil { status = reap(0) }
        guard let status else { throw HostError(errnoOf: "wait for", "process \(id)") }
        return status
    }

    /// Waits until the process ends, for a caller that does not own it. A second call returns `unknown`.
    package borrowing func waitOnce() throws(HostError) -> ProcessStatus {
        guard let status = status ?? reap(0) else { throw HostError(errnoOf: "wait for", "process \(id)") }
        return status
    }

    private borrowing func reap(_ options: Int32) -> ProcessStatus? {
        var raw: Int32 = 0
        let result = retryingOnInterrupt { unsafe waitpid(id, &raw, options) }
        if result < 0, errno == ECHILD { return .unknown }
        return result == id ? ProcessStatus(waitStatus: raw) : nil
    }
}
