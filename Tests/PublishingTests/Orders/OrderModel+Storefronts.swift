extension OrderModel {
    /// Adds a storefront with what the orders for all storefronts mean there, from now on.
    mutating func add(_ storefront: Storefront, at now: Int) {
        storefronts.append(storefront)
        for feed in Set(orders.map(\.feed)) {
            var bases: [Entry] = []
            var takeovers: [Entry] = []
            for (index, order) in orders.enumerated() where order.feed == feed && order.storefronts == nil {
                let start = naturalStart(of: order, in: storefront)
                let finish = order.until.map { instant($0, in: storefront) }
                let entry = Entry(order: index, storefront: storefront.key, start: start, finish: finish, cancelledAt: order.cancelledAt)
                switch order.layer {
                case .base where entry.end > start: bases.append(entry)
                case .takeover where order.cancelledAt == nil && entry.end > start:
                    if !takeovers.contains(where: { $0.start < entry.end && start < $0.end }) { takeovers.append(entry) }
                default: continue
                }
            }
            // Of several bases with one start, the first has the time.
            let starts = Set(bases.map(\.start)).sorted()
            let kept = starts.compactMap { start in
                let same = bases.filter { $0.start == start }
                return same.first { $0.cancelledAt == nil } ?? same.first
            }
            let current = kept.last { $0.start <= now }
            let remaining =
                kept.filter { $0.cancelledAt == nil && ($0.start > now || $0.order == current?.order) } + takeovers.filter { $0.end > now }
            for var entry in remaining {
                entry.start = max(entry.start, now)
                entries.append(entry)
            }
        }
    }

    mutating func close(_ key: String, at now: Int) {
        for index in storefronts.indices where storefronts[index].key == key { storefronts[index].closedAt = now }
    }

    /// Opens a closed storefront with what the orders for all that it has missed mean there, from now on.
    mutating func reopen(_ key: String, at now: Int) {
        guard let index = storefronts.firstIndex(where: { $0.key == key }), let closedAt = storefronts[index].closedAt else { return }
        storefronts[index].closedAt = nil
        let storefront = storefronts[index]
        let missed = orders.indices.filter { number in
            orders[number].storefronts == nil && orders[number].orderedAt >= closedAt
                && !entries.contains { $0.order == number && $0.storefront == key }
        }
        for feed in Set(missed.map { orders[$0].feed }) {
            var (bases, takeovers) = (entries(of: feed, .base, in: key), entries(of: feed, .takeover, in: key))
            for number in missed where orders[number].feed == feed {
                let order = orders[number]
                let entry = Entry(
                    order: number, storefront: key, start: naturalStart(of: order, in: storefront),
                    finish: order.until.map { instant($0, in: storefront) }, cancelledAt: order.cancelledAt)
                if entry.end <= entry.start { continue }
                if order.layer == .takeover {
                    if order.cancelledAt != nil || takeovers.contains(where: { $0.start < entry.end && entry.start < $0.end }) { continue }
                    takeovers.append(entry)
                    if entry.end > now { entries.append(entry.starting(atLeast: now)) }
                    continue
                }
                if bases.contains(where: { $0.start == entry.start && ($0.cancelledAt == nil || !missed.contains($0.order)) }) { continue }
                if let replaced = bases.filter({ $0.start < entry.start }).max(by: { $0.start < $1.start }), replaced.end > entry.start,
                    orders[replaced.order].storefronts != nil, !order.replacesLocal
                {
                    continue
                }
                bases.removeAll { $0.start == entry.start }
                bases.append(entry)
            }
            let newest = bases.filter { $0.start <= now }.max { $0.start < $1.start }
            let added = bases.filter { missed.contains($0.order) }
            if let newest, missed.contains(newest.order), newest.cancelledAt != nil {
                // It ended the base before it, and shows nothing.
                let live = self.entry(of: feed, .base, in: key, at: now)
                for position in entries.indices where entries[position].storefront == key && entries[position].order == live?.order {
                    entries[position].cancelledAt = now
                }
            }
            entries += added.filter { $0.cancelledAt == nil && ($0.start > now || $0.order == newest?.order) }
                .map { $0.starting(atLeast: now) }
        }
    }

    /// Returns the start of an order in a storefront that existed when it was made.
    func naturalStart(of order: Order, in storefront: Storefront) -> Int {
        max(order.from.map { instant($0, in: storefront) } ?? order.orderedAt, order.orderedAt)
    }

    /// Deletes a storefront in which nothing was ever shown.
    mutating func delete(_ key: String, at now: Int) throws(Rejection) {
        if entries.contains(where: { $0.storefront == key && $0.start <= now }) {
            throw Rejection(reason: "publication_spans_storefront_fkey")
        }
        storefronts.removeAll { $0.key == key }
        entries.removeAll { $0.storefront == key }
    }

    /// Gives a storefront another zone. Whatever would have no time then, or the time of another entry, stays.
    mutating func move(_ key: String, to clock: ZoneClock, at now: Int) {
        guard let index = storefronts.firstIndex(where: { $0.key == key }), storefronts[index].clock.name != clock.name else { return }
        storefronts[index].clock = clock
        let storefront = storefronts[index]
        var staying: Set<Int> = []
        while true {
            let moved = entries.map { entry in
                entry.storefront == key && !staying.contains(entry.order) ? recomputed(entry, in: storefront, at: now) : entry
            }
            let failing = moved.indices.filter { position in
                let (mine, before) = (moved[position], entries[position])
                guard (mine.start, mine.finish ?? .max) != (before.start, before.finish ?? .max) else { return false }
                return mine.end <= mine.start
                    || moved.indices.contains { $0 != position && moved[$0].storefront == key && isClash(mine, moved[$0]) }
            }
            if failing.isEmpty {
                entries = moved
                return
            }
            staying.formUnion(failing.map { entries[$0].order })
        }
    }

    private func recomputed(_ entry: Entry, in storefront: Storefront, at now: Int) -> Entry {
        var entry = entry
        let order = orders[entry.order]
        if case .wallClock = order.from, let from = order.from, entry.start > now { entry.start = max(instant(from, in: storefront), now) }
        if case .wallClock = order.until, let until = order.until, entry.end > now {
            entry.finish = max(instant(until, in: storefront), now)
        }
        return entry
    }

    private func isClash(_ mine: Entry, _ other: Entry) -> Bool {
        let (order, otherOrder) = (orders[mine.order], orders[other.order])
        guard order.feed == otherOrder.feed, order.layer == otherOrder.layer else { return false }
        return order.layer == .base ? mine.start == other.start : mine.start < other.end && other.start < mine.end
    }
}
