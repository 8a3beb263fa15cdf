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
        goOn()
    }

    func fail(_ failure: PostgresError) {
        self.failure = failure
        goOn()
    }

    func begin(_ continuation: UnsafeContinuation<Void, Never>) {
        unsafe self.continuation = continuation
        if isAnswered { goOn() }
    }

    private func goOn() {
        unsafe continuation?.resume()
        unsafe continuation = nil
    }
}
