internal import Items
package import Resolve
package import Values

extension FeedSnapshot {
    /// Returns the page in the order of a locale and a platform, for the function `resolve`. A nil platform is for clients that
    /// state none.
    package func edition(in locale: LocaleTag, on platform: String? = nil) -> Edition {
        Edition(
            sections: sections.map { section in
                ResolvableSection(
                    id: section.published.id, target: section.published.target, fill: section.published.fill,
                    placements: placements(of: section, in: locale, on: platform))
            }, experiments: feed.registry.assignments, holdout: feed.registry.holdout)
    }

    /// Returns the pins of a shelf in the order of their slots, then the candidates in the order of the locale and the platform.
    private func placements(of section: Section, in locale: LocaleTag, on platform: String?) -> [Placement] {
        var pins: [Placement] = []
        var candidates: [(rank: UInt64, placement: Placement)] = []
        for (id, published) in section.placements {
            if let item = published.item, !items.keys.contains(item) { continue }
            let item = published.item?.description
            if let pin = published.pin {
                pins.append(
                    Placement(id: id, item: item, pin: .init(slot: pin.slot, target: pin.target), platforms: published.platforms))
            }
            if let position = published.position(in: locale, on: platform) {
                candidates.append((position.key.rank, Placement(id: id, item: item, platforms: published.platforms)))
            }
        }
        return pins.sorted { ($0.pin?.slot ?? 0, $0.id) < ($1.pin?.slot ?? 0, $1.id) }
            + candidates.sorted { $0.rank != $1.rank ? $0.rank < $1.rank : $0.placement.id < $1.placement.id }.map(\.placement)
    }

    /// Returns the list of a section in the order of a locale as clients on a platform see it, without items that this snapshot
    /// does not have. A nil platform is for clients that state none.
    package func list(of section: Section, in locale: LocaleTag, on platform: String? = nil) -> [ListEntry] {
        let visible = section.entries(in: locale).filter { entry in
            items.keys.contains(entry.item) && platform.flatMap { entry.platforms?.contains($0) } ?? true
        }
        return Array(visible.prefix(section.list?.size ?? 0))
    }
}
