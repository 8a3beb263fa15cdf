internal import Glibc

/// A process started by this one. It goes on when this value ends; whoever starts it stops it.
package struct ChildProcess: ~Copyable, Sendable {
    package let id: Int32
    private var status: ProcessStatus?

    init(id: Int32) { self.id = id }

    /// How it ended, or nil while it runs. Never waits.
    package mutating func ended() -> ProcessStatus? {
        if status == nil { status = reap(WNOHANG) }
        return status
    }

    /// Waits for its end, however long that takes.
    package mutating func wait() throws(HostError) -> ProcessStatus {
        if status == nil { status = reap(0) }
        guard let status else { throw HostError(errnoOf: "wait for", "process \(id)") }
        return status
    }

    /// As `wait`, for whoever only shares it; of two calls the second learns nothing.
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
