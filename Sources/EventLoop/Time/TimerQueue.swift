/// A queue of payloads ordered by deadline and, if deadlines are equal, by insertion.
///
/// It is a binary heap whose entries refer to slots, and whose slots refer back to positions. Inserting, moving and
/// removing take O(log n). A generation detects an expired token.
struct TimerQueue<Payload> {
    private struct Entry {
        var deadline: Deadline
        var sequence: UInt64
        var slot: Int

        func isBefore(_ other: Entry) -> Bool {
            deadline == other.deadline ? sequence < other.sequence : deadline < other.deadline
        }
    }

    private struct Slot {
        /// The position in the heap. nil if the timer is due.
        var position: Int?
        var generation: UInt64
        var payload: Payload?
    }

    private var heap: [Entry] = []
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var sequence: UInt64 = 0

    /// The number of timers, including those that are due and not yet removed.
    var count: Int { slots.count - free.count }

    var earliest: Deadline? { heap.first?.deadline }

    mutating func insert(_ payload: Payload, at deadline: Deadline) -> TimerToken {
        let slot = free.popLast() ?? slots.count
        if slot == slots.count { slots.append(Slot(position: nil, generation: 0, payload: nil)) }
        slots[slot].payload = payload
        sequence &+= 1
        heap.append(Entry(deadline: deadline, sequence: sequence, slot: slot))
        rise(from: heap.count - 1)
        return TimerToken(slot: slot, generation: slots[slot].generation)
    }

    /// Changes a deadline. Returns false if the timer was removed or is already due.
    mutating func move(_ token: TimerToken, to deadline: Deadline) -> Bool {
        guard isLive(token), let position = slots[token.slot].position else { return false }
        sequence &+= 1
        heap[position].deadline = deadline
        heap[position].sequence = sequence
        restore(at: position)
        return true
    }

    /// Removes a timer, due or not. Returns nil if it was already removed.
    mutating func remove(_ token: TimerToken) -> Payload? {
        guard isLive(token) else { return nil }
        if let position = slots[token.slot].position { removeEntry(at: position) }
        defer {
            slots[token.slot].payload = nil
            slots[token.slot].generation &+= 1
            free.append(token.slot)
        }
        return slots[token.slot].payload
    }

    /// Removes all timers, which invalidates their tokens. The caller releases the payloads, outside the queue.
    mutating func removeAll() -> [Payload] {
        slots.indices.compactMap { slot in
            slots[slot].payload == nil ? nil : remove(TimerToken(slot: slot, generation: slots[slot].generation))
        }
    }

    /// Adds the due timers to `due`, where each waits to be removed. Handling one may still cancel another.
    mutating func collectDue(_ now: Deadline, into due: inout [TimerToken]) {
        while let first = heap.first, first.deadline <= now {
            removeEntry(at: 0)
            due.append(TimerToken(slot: first.slot, generation: slots[first.slot].generation))
        }
    }

    private func isLive(_ token: TimerToken) -> Bool {
        slots[token.slot].generation == token.generation && slots[token.slot].payload != nil
    }

    private mutating func removeEntry(at position: Int) {
        slots[heap[position].slot].position = nil
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        restore(at: position)
    }

    private mutating func restore(at position: Int) {
        rise(from: position)
        sink(from: position)
    }

    private mutating func rise(from start: Int) {
        let entry = heap[start]
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.isBefore(heap[parent]) else { break }
            place(heap[parent], at: position)
            position = parent
        }
        place(entry, at: position)
    }

    private mutating func sink(from start: Int) {
        let entry = heap[start]
        var position = start
        while true {
            var child = 2 * position + 1
            if child + 1 < heap.count, heap[child + 1].isBefore(heap[child]) { child += 1 }
            guard child < heap.count, heap[child].isBefore(entry) else { break }
            place(heap[child], at: position)
            position = child
        }
        place(entry, at: position)
    }

    private mutating func place(_ entry: Entry, at position: Int) {
        heap[position] = entry
        slots[entry.slot].position = position
    }
}

/// The identity of a timer, with which to move or cancel it. Using it after the timer has fired is harmless.
package struct TimerToken: Sendable, Hashable {
    let slot: Int
    let generation: UInt64
}
