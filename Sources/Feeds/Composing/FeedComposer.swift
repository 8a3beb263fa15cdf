internal import Items
package import Layout
internal import Resolve
internal import Values

/// Creates the published documents of a feed in one storefront from its composed sections.
package struct FeedComposer: Sendable {
    private let document: FeedDocument
    private let revision: Int
    private let hash: LayoutHash

    package init(_ document: FeedDocument, revision: Int, hashedBy hash: @escaping LayoutHash) {
        self.document = document
        self.revision = revision
        self.hash = hash
    }

    /// Returns all documents, layouts first. A section without items has none. A placement that has not moved keeps its
    /// key.
    package func entries(_ sections: [SectionKey: ComposedSection], keeping placed: [String: PublishedPlacement]) -> [PublishedEntry] {
        var table = LayoutTable()
        var parts: [PublishedEntry] = []
        var members: Set<UUID> = []
        var sectionIDs: [String] = []
        for (index, section) in document.sections.enumerated() {
            guard let composed = sections[section.key], !composed.isEmpty else { continue }
            let id = "\(document.key)/\(section.key)"
            sectionIDs.append(id)
            members.formUnion(composed.items)
            let published = published(section, id, at: index, into: &table)
            parts.append(PublishedEntry(.init(.section, id), published))
            for (placementID, placement) in placements(composed, in: id, keeping: placed) {
                parts.append(PublishedEntry(.init(.placement, placementID), placement, item: placement.item, placement: placement))
            }
        }
        let feed = PublishedFeed(
            key: document.key, kind: document.kind, title: document.title, theme: document.theme, configuration: document.configuration,
            revision: revision, sections: sectionIDs)
        parts.append(PublishedEntry(.init(.feed, document.key.text), feed))
        for item in members {
            parts.append(PublishedEntry(.init(.membership, "\(document.key)/\(item)"), PublishedMembership(.item(item)), item: item))
        }
        for (id, layout) in table.layouts {
            parts.append(PublishedEntry(.init(.layout, id.text), layout))
            parts.append(PublishedEntry(.init(.membership, "\(document.key)/\(id.text)"), PublishedMembership(.layout(id))))
        }
        return parts.sorted { ($0.key.kind, $0.key.id) < ($1.key.kind, $1.key.id) }
    }

    private func published(_ section: FeedSection, _ id: String, at index: Int, into table: inout LayoutTable) -> PublishedSection {
        let expansion = section.layout.expanded(at: index).with(section.headerOfLayouts)
        let seeAll = section.seeAll.map { seeAll in
            PublishedSection.SeeAll(
                title: seeAll.title, arrangement: seeAll.layout.expanded(at: index).published(into: &table, hashedBy: hash),
                cells: seeAll.cells)
        }
        return PublishedSection(
            id: id, title: section.title, subtitle: section.subtitle,
            arrangement: expansion.published(into: &table, hashedBy: hash), cells: section.cells,
            fill: .init(size: section.size), continues: section.continues, grouping: section.grouping, target: section.target,
            seeAll: seeAll, skeleton: section.skeleton, tracking: section.tracking)
    }

    private func placements(
        _ composed: ComposedSection, in section: String, keeping placed: [String: PublishedPlacement]
    ) -> [(String, PublishedPlacement)] {
        var positions: [UUID: [LocaleTag: PublishedPlacement.Position]] = [:]
        var keys: [UUID: OrderKey] = [:]
        let ids = composed.placements.mapValues { PublishedPlacement.id(in: section, serialNumber: $0.serialNumber) }
        for (locale, list) in composed.lists {
            var present: [UUID: OrderKey] = [:]
            for item in list {
                present[item] = ids[item].flatMap { placed[$0] }?.key(in: locale)
            }
            for (item, key) in zip(list, OrderKeys.assigned(to: list, keeping: present)) {
                if let locale {
                    positions[item, default: [:]][locale] = .init(key: key, initial: composed.placements[item]?.initials[locale])
                } else {
                    keys[item] = key
                }
            }
        }
        return composed.placements.compactMap { item, placement in
            guard let id = ids[item] else { return nil }
            let order = keys[item].map { PublishedPlacement.Order.everywhere($0) } ?? .byLocale(positions[item] ?? [:])
            return (id, PublishedPlacement(section: section, item: item, order: order, badges: placement.badges))
        }
    }
}

extension PublishedPlacement {
    fileprivate func key(in locale: LocaleTag?) -> OrderKey? {
        switch order {
        case .everywhere(let key): locale == nil ? key : nil
        case .byLocale(let positions): locale.flatMap { positions[$0]?.key }
        }
    }
}

/// The assignment of keys to the elements of a list, with as few changed keys as possible.
package enum OrderKeys {
    /// Returns a key for each element. The elements must be distinct. As many as possible of the elements in ascending
    /// order keep their keys. If there is no room between two keys, all keys are assigned again.
    package static func assigned<ID: Hashable>(to requested: [ID], keeping present: [ID: OrderKey]) -> [OrderKey] {
        let retained = longestRun(requested.map { present[$0] })
        var keys: [OrderKey] = []
        keys.reserveCapacity(requested.count)
        var low: OrderKey?
        var index = 0
        while index < requested.count {
            let end = retained[index...].firstIndex { $0 != nil } ?? requested.count
            let high = end < requested.count ? retained[end] : nil
            guard let added = OrderKey.keys(end - index, between: low, and: high) else { return fresh(requested.count) }
            keys += added
            if let high { keys.append(high) }
            low = high
            index = end + 1
        }
        return keys
    }

    private static func fresh(_ count: Int) -> [OrderKey] {
        guard let keys = OrderKey.keys(count, between: nil, and: nil) else { preconditionFailure("there are more slots than order keys") }
        return keys
    }

    /// Returns a longest ascending subsequence of the keys, with nil at the index of each other key.
    private static func longestRun(_ keys: [OrderKey?]) -> [OrderKey?] {
        // The index at which the best run of each length ends, and the index before each index in its run.
        var ends: [Int] = []
        var before: [Int?] = Array(repeating: nil, count: keys.count)
        for (index, key) in keys.enumerated() {
            guard let key else { continue }
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if let end = keys[ends[middle]], end < key { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var retained: [OrderKey?] = Array(repeating: nil, count: keys.count)
        var index = ends.last
        while let current = index {
            retained[current] = keys[current]
            index = before[current]
        }
        return retained
    }
}
