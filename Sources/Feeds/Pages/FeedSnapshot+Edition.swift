internal import Items
package import Resolve
package import Values

extension FeedSnapshot {
    /// Returns the page in the order of a locale, for the function `resolve`.
    package func edition(in locale: LocaleTag) -> Edition {
        Edition(
            sections: sections.map { section in
                ResolvableSection(
                    id: section.published.id, target: section.published.target, fill: section.published.fill,
                    placements: placements(of: section, in: locale))
            }, experiments: feed.registry.assignments, holdout: feed.registry.holdout)
    }

    /// Returns the pins of a shelf in the order of their slots, then the candidates in the order of the locale.
    private func placements(of section: Section, in locale: LocaleTag) -> [Placement] {
        var pins: [Placement] = []
        var candidates: [(key: OrderKey, placement: Placement)] = []
        for (id, published) in section.placements {
            if let item = published.item, items[item] == nil { continue }
            let item = published.item?.description
            if let pin = published.pin { pins.append(Placement(id: id, item: item, pin: .init(slot: pin.slot, target: pin.target))) }
            if let position = published.position(in: locale) { candidates.append((position.key, Placement(id: id, item: item))) }
        }
        return pins.sorted { ($0.pin?.slot ?? 0, $0.id) < ($1.pin?.slot ?? 0, $1.id) }
            + candidates.sorted { ($0.key, $0.placement.id) < ($1.key, $1.placement.id) }.map(\.placement)
    }

    /// Returns the list of a section in the order of a locale, without items that this snapshot does not have.
    func list(of section: Section, in locale: LocaleTag) -> [ListEntry] {
        section.entries(in: locale).filter { items.keys.contains($0.item) }
    }
}
