/// A request for a connection until it is answered; touched on the loop's thread alone.
@safe final class PoolWait {
    /// Lent where the answer is yes.
    private(set) var member: PoolMember?
    private(set) var failure: PostgresError?
    /// Resumed once, by the answer or where that came first. A checked one is copied through the runtime.
    private var continuation: UnsafeContinuation<Void, Never>?

    private var isAnswered: Bool { member != nil || failure != nil }

    func lend(_ member: PoolMember) {
        self.member = member
        resume()
    }

    func fail(_ failure: PostgresError) {
        self.failure = failure
        resume()
    }

    func begin(_ continuation: UnsafeContinuation<Void, Never>) {
        unsafe self.continuation = continuation
        if isAnswered { resume() }
    }

    private func resume() {
        unsafe continuation?.resume()
        unsafe continuation = nil
    }
}

final class PoolMember: @unchecked Sendable {
    // Unchecked: everything that varies is touched on the loop's thread alone, as all of `PostgresPool`.
    let id: PoolConnectionID
    /// Nil until it has connected.
    var connection: PostgresConnection?
    /// What the pool itself does with it, connecting or checking; cancelled when it is to be closed.
    var work: Task<Void, Never>?
    var isLent = false
    /// The pool wants it closed, and whoever uses it at the moment will say when it is.
    var isClosing = false

    init(_ id: PoolConnectionID) {
        self.id = id
    }
}
