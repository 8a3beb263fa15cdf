internal import Items
package import Layout
internal import Resolve
internal import Values

/// Creates the published documents of a feed in one storefront from its composed shelves and lists.
package struct FeedComposer: Sendable {
    /// The published documents whose order keys stay.
    package struct Previous: Sendable {
        /// The placements and entries.
        package var placements: [PublishedEntry.Key: PublishedPlacement] = [:]
        /// The lists by ID.
        package var lists: [String: PublishedList] = [:]

        package init() {}
    }

    /// The published documents of the same revision that stay as they are, because the items stay.
    package struct Kept: Sendable {
        /// The sections whose shelves and lists stay.
        package var sections: Set<SectionKey> = []
        /// Whether the page has the same sections, so that the documents of the sections themselves and their layouts stay.
        package var hasSameSections = false

        package init() {}
    }

    private let document: FeedDocument
    private let revision: Int
    private let publication: Int?
    private let registry: ExperimentRegistry
    private let hash: LayoutHash

    /// Creates a composer. `registry` has the experiments that the page uses. A preview has no publication.
    package init(
        _ document: FeedDocument, revision: Int, publication: Int? = nil, registry: ExperimentRegistry = ExperimentRegistry(),
        hashedBy hash: @escaping LayoutHash
    ) {
        self.document = document
        self.revision = revision
        self.publication = publication
        self.registry = registry
        self.hash = hash
    }

    /// Returns all documents, layouts first. See `unorderedEntries`.
    package func entries(
        _ parts: [SectionPart: ComposedItems], keeping previous: Previous = Previous(), generation: Int = 1
    ) -> [PublishedEntry] {
        unorderedEntries(parts, keeping: previous, generation: generation).sorted { ($0.key.kind, $0.key.id) < ($1.key.kind, $1.key.id) }
    }

    /// Returns all documents except the kept ones, in no order. A section without items has none. What has not moved keeps its
    /// key. A list whose keys are new, or that has another order, gets the generation, which must rise from call to call.
    package func unorderedEntries(
        _ parts: [SectionPart: ComposedItems], keeping previous: Previous, except kept: Kept = Kept(), generation: Int
    ) -> [PublishedEntry] {
        var table = LayoutTable()
        var entries: [PublishedEntry] = []
        var (members, listed): (Set<UUID>, Set<UUID>) = ([], [])
        var sectionIDs: [String] = []
        for (index, section) in document.sections.enumerated() {
            guard let shelf = parts[.shelf(section.key)], !shelf.isEmpty else { continue }
            let id = document.id(of: section.key)
            sectionIDs.append(id)
            if !kept.hasSameSections {
                entries.append(PublishedEntry(.init(.section, id), published(section, id, at: index, into: &table)))
            }
            if kept.sections.contains(section.key) { continue }
            members.formUnion(shelf.items)
            entries += placements(shelf, .placement, in: id, keeping: previous).documents
            if let selection = section.list, let items = parts[.list(section.key)] {
                listed.formUnion(items.items)
                entries += list(id, selection, items, keeping: previous, generation)
            }
        }
        let feed = PublishedFeed(
            key: document.key, kind: document.kind, title: document.title, theme: document.theme, configuration: document.configuration,
            revision: revision, publication: publication, registry: registry, sections: sectionIDs)
        entries.append(PublishedEntry(.init(.feed, document.key.text), feed))
        entries +=
            memberships(of: members, in: document.key.text) + memberships(of: listed, in: StoredFeedName.lists(of: document.key.text))
        for (id, layout) in table.layouts {
            entries.append(PublishedEntry(.init(.layout, id.text), layout))
            entries.append(PublishedEntry(.init(.membership, "\(document.key)/\(id.text)"), PublishedMembership(.layout(id))))
        }
        return entries
    }

    private func memberships(of items: Set<UUID>, in name: String) -> [PublishedEntry] {
        items.map { PublishedEntry(.init(membershipOf: $0, in: name), PublishedMembership(.item($0)), item: $0) }
    }

    private func list(
        _ id: String, _ selection: ItemSelection, _ items: ComposedItems, keeping previous: Previous, _ generation: Int
    ) -> [PublishedEntry] {
        let (documents, areNew) = placements(items, .entry, in: id, keeping: previous)
        var list = PublishedList(id: id, selection, generation: generation, hashedBy: hash)
        if !areNew, let before = previous.lists[id] {
            let same = PublishedList(id: id, selection, generation: before.generation, hashedBy: hash)
            // A list that changes and changes back has other keys than before, so the same token must not return.
            if same.token == before.token { list = same }
        }
        return [PublishedEntry(.init(.list, id), list, list: list)] + documents
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
            fill: document.fill(of: section), continues: section.continues, grouping: section.grouping, target: section.target,
            seeAll: seeAll, skeleton: section.skeleton, tracking: section.tracking)
    }

    /// Returns the placements of a shelf, or the entries of a list. `areNew` is set if an order kept none of its keys.
    private func placements(
        _ composed: ComposedItems, _ kind: PublishedKind, in section: String, keeping previous: Previous
    ) -> (documents: [PublishedEntry], areNew: Bool) {
        var positions: [UUID: [LocaleTag: PublishedPlacement.Position]] = [:]
        var keys: [UUID: OrderKey] = [:]
        var platformKeys: [UUID: [String: OrderKey]] = [:]
        var areNew = false
        var pins: [UUID: (pin: PublishedPlacement.Pin, appearance: ItemAppearance?)] = [:]
        var cards: [PublishedEntry] = []
        for pin in composed.pins {
            let published = PublishedPlacement.Pin(slot: pin.slot, target: pin.target)
            switch pin.content {
            case .item(let item, let appearance): pins[item] = (published, appearance)
            case .card(let card):
                let id = PublishedPlacement.id(in: section, card: card.key)
                let document = PublishedPlacement(
                    section: section, content: .card(card), pin: published, order: nil, initials: [:], badges: [])
                cards.append(PublishedEntry(.init(kind, id), document, placement: document))
            }
        }
        let ids = composed.placements.mapValues { PublishedPlacement.id(in: section, serialNumber: $0.serialNumber) }
        for (locale, order) in composed.orders {
            var present: [UUID: OrderKey] = [:]
            for item in order {
                present[item] = ids[item].flatMap { previous.placements[.init(kind, $0)] }?.key(in: locale)
            }
            let assigned = OrderKeys.assigned(to: order, keeping: present)
            areNew = areNew || assigned.areNew || !order.isEmpty && zip(order, assigned.keys).allSatisfy { present[$0] != $1 }
            for (item, key) in zip(order, assigned.keys) {
                if let locale {
                    positions[item, default: [:]][locale] = .init(key: key, initial: composed.placements[item]?.initials[locale])
                } else {
                    keys[item] = key
                }
            }
        }
        for (platform, order) in composed.platformOrders {
            var present: [UUID: OrderKey] = [:]
            for item in order {
                present[item] = ids[item].flatMap { previous.placements[.init(kind, $0)] }?.key(on: platform)
            }
            for (item, key) in zip(order, OrderKeys.assigned(to: order, keeping: present).keys) {
                platformKeys[item, default: [:]][platform] = key
            }
        }
        let documents = composed.placements.compactMap { item, placement -> PublishedEntry? in
            guard let id = ids[item] else { return nil }
            let order: PublishedPlacement.Order? =
                if !composed.platformOrders.isEmpty {
                    keys[item] == nil && platformKeys[item] == nil ? nil : .byPlatform(keys[item], platformKeys[item] ?? [:])
                } else {
                    keys[item].map { .everywhere($0) } ?? positions[item].map { .byLocale($0) }
                }
            let pin = pins[item]
            let initials = pin == nil ? [:] : placement.initials
            let document = PublishedPlacement(
                section: section, content: .item(item, pin?.appearance), pin: pin?.pin, order: order,
                platforms: placement.platforms, initials: initials, badges: placement.badges)
            return PublishedEntry(.init(kind, id), document, item: item, placement: document)
        }
        return (documents + cards, areNew)
    }
}

extension PublishedPlacement {
    fileprivate func key(in locale: LocaleTag?) -> OrderKey? {
        switch order {
        case .everywhere(let key): locale == nil ? key : nil
        case .byLocale(let positions): locale.flatMap { positions[$0]?.key }
        case .byPlatform(let key, _): locale == nil ? key : nil
        case nil: nil
        }
    }

    fileprivate func key(on platform: String) -> OrderKey? {
        switch order {
        case .everywhere(let key): key
        case .byPlatform(_, let keys): keys[platform]
        case .byLocale, nil: nil
        }
    }
}

/// The assignment of keys to the elements of a list, with as few changed keys as possible.
package enum OrderKeys {
    /// Returns a key for each element. The elements must be distinct. As many as possible of the elements in ascending
    /// order keep their keys. If there is no room between two keys, all keys are assigned again and `areNew` is set.
    package static func assigned<ID: Hashable>(
        to requested: [ID], keeping present: [ID: OrderKey]
    ) -> (keys: [OrderKey], areNew: Bool) {
        let retained = longestRun(requested.map { present[$0] })
        var keys: [OrderKey] = []
        keys.reserveCapacity(requested.count)
        var low: OrderKey?
        var index = 0
        while index < requested.count {
            let end = retained[index...].firstIndex { $0 != nil } ?? requested.count
            let high = end < requested.count ? retained[end] : nil
            guard let added = OrderKey.keys(end - index, between: low, and: high) else { return (fresh(requested.count), true) }
            keys += added
            if let high { keys.append(high) }
            low = high
            index = end + 1
        }
        return (keys, false)
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
