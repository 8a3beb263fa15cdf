internal import Host

/// A set of waiting tasks. Each is resumed with an outcome or canceled. The set is part of a state in a `Locked` value:
/// see `Locked.park`.
struct ParkedTasks<Reason: Sendable, Outcome: Sendable>: Sendable {
    struct Task: Sendable {
        let reason: Reason
        private let continuation: UnsafeContinuation<Outcome, Never>

        fileprivate init(_ reason: Reason, _ continuation: UnsafeContinuation<Outcome, Never>) {
            self.reason = reason
            self.continuation = continuation
        }

        /// Must be called only once, and after the lock is released.
        func resume(_ outcome: Outcome) { continuation.resume(returning: outcome) }
    }

    /// The tasks by increasing IDs: the longest-waiting task has the smallest.
    private(set) var all: [Int: Task] = [:]
    private var lastID = 0
    /// The IDs of the tasks that were canceled before they were parked.
    private var cancelled: Set<Int> = []

    mutating func remove(_ id: Int) -> Task? { all.removeValue(forKey: id) }

    mutating func removeFirst() -> Task? { all.keys.min().flatMap { remove($0) } }

    mutating func removeAll() -> [Task] {
        defer { all = [:] }
        return Array(all.values)
    }

    fileprivate mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    fileprivate func isCancelled(_ id: Int) -> Bool { cancelled.contains(id) }

    fileprivate mutating func insert(_ task: Task, _ id: Int) { all[id] = task }

    fileprivate mutating func cancel(_ id: Int) -> Task? {
        let task = remove(id)
        if task == nil { cancelled.insert(id) }
        return task
    }

    fileprivate mutating func forget(_ id: Int) { cancelled.remove(id) }
}

extension Locked {
    /// Parks the calling task in the set, unless its outcome is already known.
    func park<Reason, Outcome>(
        among tasks: any WritableKeyPath<Value, ParkedTasks<Reason, Outcome>> & Sendable, for reason: Reason, whenCancelled: Outcome,
        unless known: (inout Value) -> Outcome?
    ) async -> Outcome {
        let id = withLock { $0[keyPath: tasks].nextID() }
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Outcome, Never>) in
                let outcome: Outcome? = withLock { state in
                    if state[keyPath: tasks].isCancelled(id) { return whenCancelled }
                    if let outcome = known(&state) { return outcome }
                    state[keyPath: tasks].insert(.init(reason, continuation), id)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        } onCancel: {
            withLock { $0[keyPath: tasks].cancel(id) }?.resume(whenCancelled)
        }
        withLock { $0[keyPath: tasks].forget(id) }
        return outcome
    }
}
