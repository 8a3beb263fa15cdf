internal import Items
package import Layout
internal import Values

/// Makes the documents of a feed in one storefront of what stands in its sections.
package struct FeedComposer: Sendable {
    private let document: FeedDocument
    private let revision: Int
    private let hash: LayoutHash

    package init(_ document: FeedDocument, revision: Int, hashedBy hash: @escaping LayoutHash) {
        self.document = document
        self.revision = revision
        self.hash = hash
    }

    /// All of them, layouts first. A section that nothing stands in has none. A placement that stands where it stood keeps its key.
    package func entries(_ sections: [SectionKey: ComposedSection], keeping placed: [String: PublishedPlacement]) -> [PublishedEntry] {
        var table = LayoutTable()
        var parts: [PublishedEntry] = []
        var members: Set<UUID> = []
        var shown: [String] = []
        for (index, section) in document.sections.enumerated() {
            guard let composed = sections[section.key], !composed.isEmpty else { continue }
            let id = "\(document.key)/\(section.key)"
            shown.append(id)
            members.formUnion(composed.items)
            let published = published(section, id, at: index, into: &table)
            parts.append(PublishedEntry(.init(.section, id), published))
            for (placementID, placement) in placements(composed, in: id, keeping: placed) {
                parts.append(PublishedEntry(.init(.placement, placementID), placement, item: placement.item, placement: placement))
            }
        }
        let feed = PublishedFeed(
            key: document.key, title: document.title, configuration: document.configuration, revision: revision, sections: shown)
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
        let arrangement = section.layout.expanded(at: index).published(into: &table, hashedBy: hash)
        let seeAll = section.seeAll.map { seeAll in
            PublishedSection.SeeAll(
                title: seeAll.title, layout: table.publish(seeAll.layout.expanded(at: index).layout, hashedBy: hash))
        }
        return PublishedSection(
            id: id, title: section.title, subtitle: section.subtitle, arrangement: arrangement, cells: section.cells,
            grouping: section.grouping, target: section.target, seeAll: seeAll, skeleton: section.skeleton, tracking: section.tracking)
    }

    private func placements(
        _ composed: ComposedSection, in section: String, keeping placed: [String: PublishedPlacement]
    ) -> [(String, PublishedPlacement)] {
        var places: [UUID: [LocaleTag: PublishedPlacement.Place]] = [:]
        var keys: [UUID: OrderKey] = [:]
        let ids = composed.placements.mapValues { PublishedPlacement.id(in: section, serialNumber: $0.serialNumber) }
        for (locale, list) in composed.lists {
            var present: [UUID: OrderKey] = [:]
            for item in list {
                present[item] = ids[item].flatMap { placed[$0] }?.key(in: locale)
            }
            for (item, key) in zip(list, OrderKeys.assigned(to: list, keeping: present)) {
                if let locale {
                    places[item, default: [:]][locale] = .init(key: key, initial: composed.placements[item]?.initials[locale])
                } else {
                    keys[item] = key
                }
            }
        }
        return composed.placements.compactMap { item, placement in
            guard let id = ids[item] else { return nil }
            let order = keys[item].map { PublishedPlacement.Order.everywhere($0) } ?? .byLocale(places[item] ?? [:])
            return (id, PublishedPlacement(section: section, item: item, order: order, badges: placement.badges))
        }
    }
}

extension PublishedPlacement {
    fileprivate func key(in locale: LocaleTag?) -> OrderKey? {
        switch order {
        case .everywhere(let key): locale == nil ? key : nil
        case .byLocale(let places): locale.flatMap { places[$0]?.key }
        }
    }
}
