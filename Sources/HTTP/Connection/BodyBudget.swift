internal import HTTPMessages
internal import Synchronization

/// The memory budget of an event loop for request bodies. Bodies are released on any thread.
final class BodyBudget: Sendable {
    private let limit: Int
    private let used = Atomic<Int>(0)
    private let refused = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    var bytes: Int { used.load(ordering: .relaxed) }

    var rejections: Int { refused.load(ordering: .relaxed) }

    fileprivate func reserve(_ count: Int) throws(RequestError) {
        guard used.add(count, ordering: .relaxed).newValue > limit else { return }
        release(count)
        refused.add(1, ordering: .relaxed)
        throw RequestError(.unavailable, "the server has no free memory for request bodies")
    }

    fileprivate func release(_ count: Int) { used.subtract(count, ordering: .relaxed) }
}

/// The part of a budget that one body uses, until it is deallocated.
final class BodyLease: Sendable {
    private let budget: BodyBudget
    private let count = Atomic<Int>(0)

    init(_ budget: BodyBudget) { self.budget = budget }

    deinit { budget.release(count.load(ordering: .relaxed)) }

    /// Throws 503 if the budget does not have that many bytes left.
    func grow(by count: Int) throws(RequestError) {
        try budget.reserve(count)
        self.count.add(count, ordering: .relaxed)
    }

    func shrink(by count: Int) {
        self.count.subtract(count, ordering: .relaxed)
        budget.release(count)
    }
}
