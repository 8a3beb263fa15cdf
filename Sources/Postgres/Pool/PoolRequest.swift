/// What somebody asks a pool for.
///
/// A pool knows one server. The place to say that a replica would do is here; the choice between two pools is made before one is asked.
package struct PoolRequest: Sendable, Equatable {
    package let waiter: PoolWaiterID
    /// From this moment on the waiter is told no.
    package let deadline: PoolInstant

    package init(_ waiter: PoolWaiterID, deadline: PoolInstant) {
        self.waiter = waiter
        self.deadline = deadline
    }
}
