/// A pending request for a connection, accessed only on the loop's thread.
@safe final class PoolWait {
    /// The leased connection if the request succeeds.
    private(set) var member: PoolMember?
    private(set) var failure: PostgresError?
    /// Resumed once, by the result or immediately if the result came first. Unsafe, because a checked one is copied
    /// through the runtime.
    private var continuation: UnsafeContinuation<Void, Never>?

    private var isResolved: Bool { member != nil || failure != nil }

    func lend(_ member: PoolMember) {
        self.member = member
        resume()
    }

    func fail(_ failure: PostgresError) {
        self.failure = failure
        resume()
    }

    func start(_ continuation: UnsafeContinuation<Void, Never>) {
        unsafe self.continuation = continuation
        if isResolved { resume() }
    }

    private func resume() {
        unsafe continuation?.resume()
        unsafe continuation = nil
    }
}

final class PoolMember: @unchecked Sendable {
    // Unchecked: all mutable state is accessed only on the loop's thread, as in `PostgresPool`.
    let id: PoolConnectionID
    /// The connection; nil until it has connected.
    var connection: PostgresConnection?
    /// The pool's own work on the connection, connecting or checking. Canceled when the connection is to be closed.
    var work: Task<Void, Never>?
    var isLent = false
    /// Whether the pool wants to close the connection while a task still uses it. That task reports the close.
    var isClosing = false

    init(_ id: PoolConnectionID) {
        self.id = id
    }
}
