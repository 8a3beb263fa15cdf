extension ResolvableSection {
    /// Fills the shelf as far as the facts allow: pins at their slots, and between them the candidates that run on the
    /// platform and that no section of `without` shows.
    ///
    /// `above` has the sections above, resolved with the same facts. If the shelf depends on an unknown fact, the
    /// section keeps `fill` and every placement that a client can see. Returns nil if the shelf has too few placements.
    package func fill(_ facts: ClientFacts, _ arms: [String: Fact<String>], below above: [Self]) -> Self? {
        guard var fill else { return self }
        let possible = placements.compactMap { $0.asked(facts, arms, size: fill.size) }
        let pins = possible.lazy.filter { $0.pin != nil }
        var shown = Set(pins.filter { !$0.isOpen }.compactMap(\.item))
        // Each open pin and each item of an undecided section can take one of the candidates.
        var limit = fill.size + pins.count { $0.isOpen && $0.item != nil }
        fill.without.removeAll { id in
            var isSettled = true
            for section in above where section.isPart(of: id) {
                let items = Set(section.placements.lazy.compactMap(\.item))
                if section.isSettled {
                    shown.formUnion(items)
                } else {
                    isSettled = false
                    limit += min(items.count, section.fill?.size ?? items.count)
                }
            }
            return isSettled
        }
        var reach = Reach(limit: limit)
        let left = possible.filter { placement in
            guard placement.pin == nil else { return true }
            // A repeated item is never shown twice, so it must not count.
            if let item = placement.item, !shown.insert(item).inserted { return false }
            return reach.includes(placement.platforms)
        }
        var section = self
        if left.contains(where: { $0.isOpen || $0.pin == nil && !fill.without.isEmpty }) {
            section.fill = fill
            section.placements = left
            return section
        }
        section.fill = nil
        section.placements = left.shelf(size: fill.size)
        return section.placements.count >= max(fill.minItems, 1) ? section : nil
    }

    /// Whether this is the section with the ID, or one of the parts into which a page divides it.
    private func isPart(of id: String) -> Bool {
        let (own, whole) = (self.id.utf8, id.utf8)
        guard own.starts(with: whole) else { return false }
        return own.count == whole.count || own.dropFirst(whole.count).first == UInt8(ascii: "/")
    }

    /// Whether no unknown fact changes what the section shows, or whether it is shown.
    private var isSettled: Bool { fill == nil && target == nil }
}

extension Placement {
    /// Returns the placement without the conditions that hold, or nil if a client does not see it here.
    fileprivate func asked(_ facts: ClientFacts, _ arms: [String: Fact<String>], size: Int) -> Self? {
        var placement = self
        if let pin {
            guard pin.slot < size else { return nil }
            switch pin.target?.ask(facts, arms) {
            case .no?: return nil
            case .yes?, nil: placement.pin?.target = nil
            case .residual(let target)?: placement.pin?.target = target
            }
        }
        switch facts.platform {
        case .unknown: break
        case .notSaid: placement.platforms = nil
        case .said(let platform):
            guard platforms?.contains(platform) ?? true else { return nil }
            placement.platforms = nil
        }
        return placement
    }

    /// Whether an unknown fact decides whether the client can see the placement.
    fileprivate var isOpen: Bool { pin?.target != nil || platforms != nil }

    fileprivate func isShown(in items: Set<String>) -> Bool { item.map(items.contains) ?? false }
}

/// The number of candidates before the next one, by platform.
private struct Reach {
    /// The number of candidates that a client can need.
    let limit: Int
    /// The number of those that run everywhere.
    private var everywhere = 0
    /// The number of the others, by platform.
    private var others: [String: Int] = [:]

    init(limit: Int) { self.limit = limit }

    /// Counts a candidate. Returns whether a client of any of its platforms can need it. A client of a platform that no
    /// candidate names has the fewest, so it decides about a candidate that runs everywhere.
    mutating func includes(_ platforms: Set<String>?) -> Bool {
        guard let platforms else {
            everywhere += 1
            return everywhere <= limit
        }
        var isNeeded = false
        for platform in platforms {
            let before = others[platform, default: 0]
            isNeeded = isNeeded || everywhere + before < limit
            others[platform] = before + 1
        }
        return isNeeded
    }
}

extension [Placement] {
    /// Returns the shelf of a section without open placements. Each item appears once.
    fileprivate func shelf(size: Int) -> [Placement] {
        var used: Set<String> = []
        func isFirst(_ placement: Placement) -> Bool { placement.item.map { used.insert($0).inserted } ?? true }
        let pins = compactMap { placement in placement.pin.map { (slot: $0.slot, element: placement) } }
            .sorted { $0.slot < $1.slot }.filter { isFirst($0.element) }
        return arrange(pins, between: lazy.filter { $0.pin == nil && isFirst($0) }, size: size)
    }
}

/// Returns the elements of a shelf in order. Pins, sorted by slot, have their own slots, and candidates fill the others.
/// If there are too few candidates before a pin, the pin moves up, so that there are no gaps.
package func arrange<Element>(
    _ pins: [(slot: Int, element: Element)], between candidates: some Sequence<Element>, size: Int
) -> [Element] {
    var pins = pins[...]
    var candidates = candidates.makeIterator()
    var shelf: [Element] = []
    while shelf.count < size {
        if let pin = pins.first, pin.slot <= shelf.count {
            pins.removeFirst()
            shelf.append(pin.element)
        } else if let candidate = candidates.next() {
            shelf.append(candidate)
        } else if let pin = pins.popFirst() {
            shelf.append(pin.element)
        } else {
            break
        }
    }
    return shelf
}
