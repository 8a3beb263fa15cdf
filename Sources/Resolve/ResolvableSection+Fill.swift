extension ResolvableSection {
    /// Fills the shelf as far as the facts allow: pins at their slots, and between them the candidates that run on the
    /// platform and that no section of `without` shows.
    ///
    /// `above` has the sections above, resolved with the same facts. If the shelf depends on an unknown fact, the
    /// section keeps `fill` and every placement that a client can see. Returns nil if the shelf has too few placements.
    package func fill(_ facts: ClientFacts, _ arms: [String: Fact<String>], below above: [Self]) -> Self? {
        guard var fill else { return self }
        let pins = pins(for: facts, arms, size: fill.size)
        var shown = Set<String>(minimumCapacity: 2 * placements.count)
        // Each open pin and each item of an undecided section can take one of the candidates.
        var limit = fill.size
        for pin in pins {
            guard let item = pin.placement.item else { continue }
            if pin.placement.isOpen { limit += 1 } else { shown.insert(item) }
        }
        fill.without.removeAll { id in
            var isSettled = true
            for section in above where section.isPart(of: id) {
                if section.isSettled {
                    for case let item? in section.placements.lazy.map(\.item) { shown.insert(item) }
                } else {
                    isSettled = false
                    let items = Set(section.placements.lazy.compactMap(\.item))
                    limit += min(items.count, section.fill?.size ?? items.count)
                }
            }
            return isSettled
        }
        let candidates = candidates(for: facts.platform, except: &shown, limit: limit)
        let isOpen =
            pins.contains { $0.placement.isOpen }
            || candidates.contains { !fill.without.isEmpty || facts.platform == .unknown && placements[$0].isOpen }
        var section = self
        if isOpen {
            section.fill = fill
            section.placements = arrange(pins, between: candidates, facts.platform) { pin, candidate, _ in pin.index < candidate }
            return section
        }
        section.fill = nil
        section.placements = shelf(pins, candidates, facts.platform, size: fill.size)
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

    /// A pin without the conditions that hold.
    private struct AskedPin {
        /// The index of the pin among the placements.
        let index: Int
        let placement: Placement

        var slot: Int { placement.pin?.slot ?? 0 }
    }

    /// Returns the pins that a client can see.
    private func pins(for facts: ClientFacts, _ arms: [String: Fact<String>], size: Int) -> [AskedPin] {
        var pins: [AskedPin] = []
        for index in placements.indices where placements[index].pin != nil {
            guard let pin = placements[index].asked(facts, arms, size: size) else { continue }
            pins.append(AskedPin(index: index, placement: pin))
        }
        return pins
    }

    /// Returns the indices of the candidates that a client can need, and adds their items to `shown`. Copies of placements
    /// cost more than everything else here, so this makes none.
    private func candidates(for platform: Fact<String>, except shown: inout Set<String>, limit: Int) -> [Int] {
        var candidates: [Int] = []
        var reach = Reach(limit: limit)
        for index in placements.indices where placements[index].pin == nil {
            guard !reach.isExhausted else { break }
            guard placements[index].runs(on: platform) else { continue }
            // A repeated item is never shown twice, so it must not count.
            if let item = placements[index].item, !shown.insert(item).inserted { continue }
            if reach.includes(platform == .unknown ? placements[index].platforms : nil) { candidates.append(index) }
        }
        return candidates
    }

    /// Returns the shelf without open placements. Each pin has its own slot, and candidates fill the others. If there are too few
    /// candidates before a pin, the pin moves up, so that there are no gaps. Each item appears once.
    private func shelf(_ pins: [AskedPin], _ candidates: [Int], _ platform: Fact<String>, size: Int) -> [Placement] {
        var items: Set<String> = []
        let pins = pins.sorted { $0.slot < $1.slot }.filter { $0.placement.item.map { items.insert($0).inserted } ?? true }
        var shelf = arrange(pins, between: candidates, platform) { pin, _, count in pin.slot <= count }
        shelf.removeLast(max(shelf.count - size, 0))
        return shelf
    }

    /// Returns the pins and the candidates, each in their order. A pin is before the first candidate at which it is due, or
    /// after all of them.
    private func arrange(
        _ pins: [AskedPin], between candidates: [Int], _ platform: Fact<String>,
        isDue: (_ pin: AskedPin, _ candidate: Int, _ count: Int) -> Bool
    ) -> [Placement] {
        var arranged: [Placement] = []
        arranged.reserveCapacity(pins.count + candidates.count)
        var pins = pins[...]
        for index in candidates {
            while let pin = pins.first, isDue(pin, index, arranged.count) { arranged.append(pins.removeFirst().placement) }
            arranged.append(platform == .unknown ? placements[index] : Placement(id: placements[index].id, item: placements[index].item))
        }
        for pin in pins { arranged.append(pin.placement) }
        return arranged
    }
}

extension Placement {
    /// Returns the pin without the conditions that hold, or nil if a client does not see it.
    fileprivate func asked(_ facts: ClientFacts, _ arms: [String: Fact<String>], size: Int) -> Self? {
        guard var pin, pin.slot < size, runs(on: facts.platform) else { return nil }
        switch pin.target?.ask(facts, arms) {
        case .no?: return nil
        case .yes?, nil: pin.target = nil
        case .residual(let target)?: pin.target = target
        }
        return Self(id: id, item: item, pin: pin, platforms: facts.platform == .unknown ? platforms : nil)
    }

    /// Whether a client can see the placement on its platform.
    fileprivate func runs(on platform: Fact<String>) -> Bool {
        guard let platforms, case .said(let platform) = platform else { return true }
        return platforms.contains(platform)
    }

    /// Whether an unknown fact decides whether the client can see the placement.
    fileprivate var isOpen: Bool { pin?.target != nil || platforms != nil }
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

    /// Whether no client can need another candidate.
    var isExhausted: Bool { everywhere >= limit }

    /// Counts a candidate. Returns whether a client of any of its platforms can need it. A client of a platform that no
    /// candidate names has the fewest, so it decides about a candidate that runs everywhere.
    mutating func includes(_ platforms: Set<String>?) -> Bool {
        guard let platforms else {
            everywhere += 1
            return everywhere <= limit
        }
        var isNeeded = false
        for platform in platforms {
            others[platform, default: 0] += 1
            isNeeded = isNeeded || everywhere + others[platform, default: 0] <= limit
        }
        return isNeeded
    }
}
