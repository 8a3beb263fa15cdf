extension OrderModel {
    /// Publishes an order, and returns its index.
    mutating func publish(_ order: Order, replacesLocal: Bool) throws(Rejection) -> Int {
        let now = order.orderedAt
        if case .instant(let second) = order.from, second < now { throw Rejection(reason: "publication_spans_history_check") }
        try requireOpen(order.storefronts)
        var planned: [Entry] = []
        for storefront in open.sorted(by: { $0.key < $1.key }) where order.storefronts?.contains(storefront.key) ?? true {
            let start = max(order.from.map { instant($0, in: storefront) } ?? now, now)
            let finish = order.until.map { instant($0, in: storefront) }
            if let finish, finish <= start { continue }
            planned.append(Entry(order: orders.count, storefront: storefront.key, start: start, finish: finish))
        }
        if planned.isEmpty { throw Rejection(reason: "publication_spans_during_check") }
        let taken = planned.filter { mine in
            entries(of: order.feed, order.layer, in: mine.storefront).contains { other in
                order.layer == .base ? other.start == mine.start : other.start < mine.end && mine.start < other.end
            }
        }
        if !taken.isEmpty { throw Rejection(reason: "publication_spans_during_excl", storefronts: taken.map(\.storefront)) }
        if order.layer == .base, order.storefronts == nil, !replacesLocal {
            let local = planned.filter { mine in
                entry(of: order.feed, .base, in: mine.storefront, at: mine.start).map { orders[$0.order].storefronts != nil } ?? false
            }
            if !local.isEmpty { throw Rejection(reason: "publications_local_base_check", storefronts: local.map(\.storefront)) }
        }
        var accepted = order
        accepted.replacesLocal = replacesLocal
        orders.append(accepted)
        entries += planned
        return orders.count - 1
    }

    /// Cancels an order in storefronts, or everywhere.
    mutating func cancel(_ index: Int, in keys: [String]?, at now: Int) throws(Rejection) {
        guard orders.indices.contains(index) else { throw Rejection(reason: "P0002") }
        let unknown = (keys ?? []).filter { key in !storefronts.contains { $0.key == key } }
        if !unknown.isEmpty { throw Rejection(reason: "publications_storefronts_fkey", storefronts: unknown) }
        let remaining = entries.filter { $0.order == index && isAhead($0, at: now) }.map(\.storefront)
        let isWhole = !remaining.contains { key in !(keys?.contains(key) ?? true) && open.contains { $0.key == key } }
        let ahead = remaining.filter { isWhole || keys?.contains($0) ?? true }
        let others = (keys ?? []).filter { !ahead.contains($0) }
        if ahead.isEmpty || !others.isEmpty { throw Rejection(reason: "55000", storefronts: others) }
        entries.removeAll { $0.order == index && ahead.contains($0.storefront) && $0.start >= now }
        for position in entries.indices where entries[position].order == index && ahead.contains(entries[position].storefront) {
            entries[position].cancelledAt = now
        }
        if isWhole { orders[index].cancelledAt = now }
    }

    /// Rolls a feed back, and returns the indices of the new orders. A rejection can leave a part of them, so a copy is needed.
    mutating func rollBack(_ feed: String, in keys: [String]?, to revision: Int?, at now: Int) throws(Rejection) -> [Int] {
        try requireOpen(keys)
        let candidates = open.map(\.key).sorted()
        let newest = Dictionary(
            uniqueKeysWithValues: candidates.map { key in
                (key, entries(of: feed, .base, in: key).filter { $0.start <= now }.max { $0.start < $1.start })
            })
        let live = newest.filter { _, entry in entry.map { $0.end > now } ?? false }
        let showing = live.isEmpty ? newest : live
        func began(_ order: Int) -> Int { entries.filter { $0.order == order }.map(\.start).min() ?? .max }
        let last = showing.values.compactMap { $0?.order }.max { (began($0), $0) < (began($1), $1) }
        let chosen = keys ?? candidates.filter { key in showing[key].map { $0?.order == last } ?? false }
        var groups: [Int: [String]] = [:]
        for key in chosen {
            let shown = live[key].flatMap { $0.map { orders[$0.order].revision } }
            let earlier = entries(of: feed, .base, in: key).filter { $0.start <= now && orders[$0.order].revision != shown }
            let own = earlier.max { $0.start < $1.start }.map { orders[$0.order].revision }
            guard let target = revision ?? own ?? missedRevision(of: feed, in: key, otherThan: shown) else { continue }
            groups[target, default: []].append(key)
        }
        var published: [Int] = []
        for (target, keysOfTarget) in groups.sorted(by: { $0.key < $1.key }) {
            let isEverywhere = keys == nil && keysOfTarget.count == candidates.count
            let order = Order(
                feed: feed, layer: .base, revision: target, storefronts: isEverywhere ? nil : keysOfTarget, from: nil, until: nil,
                orderedAt: now)
            published.append(try publish(order, replacesLocal: true))
        }
        return published
    }

    /// Returns what a storefront that was added after its first base started would have shown before that base.
    private func missedRevision(of feed: String, in key: String, otherThan shown: Int?) -> Int? {
        guard let storefront = open.first(where: { $0.key == key }),
            let first = entries(of: feed, .base, in: key).min(by: { $0.start < $1.start })
        else { return nil }
        let bound = naturalStart(of: orders[first.order], in: storefront)
        guard orders[first.order].storefronts == nil, first.start > bound else { return nil }
        let earlier = orders.filter { order in
            let start = naturalStart(of: order, in: storefront)
            return order.feed == feed && order.layer == .base && order.storefronts == nil && start < bound
                && order.cancelledAt ?? .max > start && order.revision != shown
        }
        // Of several with the same start, the first.
        return earlier.max { naturalStart(of: $0, in: storefront) < naturalStart(of: $1, in: storefront) }?.revision
    }

    private func requireOpen(_ keys: [String]?) throws(Rejection) {
        let unknown = (keys ?? []).filter { key in !open.contains { $0.key == key } }
        if !unknown.isEmpty { throw Rejection(reason: "publications_storefronts_fkey", storefronts: unknown) }
    }
}
