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

/// Something that is to run on the loop's thread, with the event that led to it.
struct WorkItem: Sendable {
    enum Body: Sendable {
        case job(UnownedJob)
        case isolatedJob(UnownedJob)
        case call(@Sendable () -> Void)
    }

    let body: Body
    let event: WorkLabel
}

/// What the loop was asked to do, in the words of whoever asked, such as "http: read a request".
package struct WorkLabel: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    private let text: StaticString

    package init(stringLiteral text: StaticString) { self.text = text }

    package var description: String { text.description }

    package static func == (left: WorkLabel, right: WorkLabel) -> Bool { left.description == right.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
