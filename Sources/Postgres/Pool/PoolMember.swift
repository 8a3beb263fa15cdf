/// A connection of a pool with what goes on around it.
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
