package import Values

/// Which items stand in a section, one after the other, and why.
package struct FilledSlots: Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case pin
        /// By its place among what the rule found.
        case rule(place: Int)
    }

    package struct Slot: Sendable, Equatable {
        package let item: UUID
        package let reason: Reason
    }

    package private(set) var slots: [Slot] = []

    /// Pins have their slots and candidates the others, in their order, each item once. Where candidates run out before a pin, it moves up,
    /// so that there are no gaps.
    package init(pins: [Int: UUID], candidates: [UUID], excluded: Set<UUID> = [], limit: Int) {
        var taken = excluded.union(pins.values)
        var next = candidates.enumerated().lazy.filter { taken.insert($0.element).inserted }.makeIterator()
        var waiting = pins.filter { $0.key < limit }.sorted { $0.key < $1.key }[...]
        while slots.count < limit {
            if let pin = waiting.first, pin.key <= slots.count {
                waiting.removeFirst()
                slots.append(Slot(item: pin.value, reason: .pin))
            } else if let (place, item) = next.next() {
                slots.append(Slot(item: item, reason: .rule(place: place)))
            } else if let pin = waiting.popFirst() {
                slots.append(Slot(item: pin.value, reason: .pin))
            } else {
                return
            }
        }
    }

    package var items: [UUID] { slots.map(\.item) }
}
