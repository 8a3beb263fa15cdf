/// First in, first out, without an allocation once it has grown to the size of the rush.
struct WorkQueue {
    /// Nil from the moment when it is taken out, so that what it holds lives no longer than it is needed.
    private var items: [WorkItem?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }

    mutating func append(_ work: WorkItem) { items.append(work) }

    /// Takes over all of `others` and leaves its storage, or an empty one in exchange, for the next.
    mutating func append(contentsOf others: inout [WorkItem?]) {
        if items.isEmpty {
            swap(&items, &others)
        } else {
            items.append(contentsOf: others)
            others.removeAll(keepingCapacity: true)
        }
    }

    mutating func popFirst() -> WorkItem? {
        guard head < items.count else { return nil }
        let work = items[head].take()
        head += 1
        if head == items.count {
            items.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 1024, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return work
    }
}
