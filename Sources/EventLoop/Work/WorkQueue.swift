/// A FIFO queue that allocates nothing after it has grown to its maximum load.
struct WorkQueue {
    /// The items. An item becomes nil when it is removed, so that its contents are released as early as possible.
    private var items: [WorkItem?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }

    mutating func append(_ work: WorkItem) { items.append(work) }

    /// Appends all of `others` and leaves an empty array with reusable storage.
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

/// Work for the loop's thread, with the event that caused it.
struct WorkItem: Sendable {
    enum Body: Sendable {
        case job(UnownedJob)
        case isolatedJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    let body: Body
    let event: WorkLabel
}

/// The name of an operation of the loop, chosen by its caller, such as "http: read a request".
package struct WorkLabel: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: StaticString

    package init(stringLiteral text: StaticString) { self.text = text }

    package var description: String { text.description }

    package static func == (left: WorkLabel, right: WorkLabel) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
