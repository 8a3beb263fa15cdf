internal import Synchronization

/// What the loops of a server count together.
final class ServerTotals: Sendable {
    private let connections = Atomic<Int>(0)

    /// False where there are as many already.
    func admitConnection(limit: Int) -> Bool {
        guard connections.add(1, ordering: .relaxed).newValue > limit else { return true }
        releaseConnection()
        return false
    }

    func releaseConnection() { connections.subtract(1, ordering: .relaxed) }
}
