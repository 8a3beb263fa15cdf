internal import Items
package import Resolve
internal import Synchronization
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

    /// Returns the placements of a shelf in the order of a locale and a platform, without items that this snapshot does not have.
    private func placements(of section: Section, in locale: LocaleTag, on platform: String?) -> [Placement] {
        let ordered = section.order.list(section.placements, in: locale) { Placement.list($0, in: $1, on: platform) }
        if hasAllItems { return ordered }
        return ordered.filter { section.placements[$0.id]?.item.map(items.keys.contains) ?? true }
    }

    /// Returns the list of a section in the order of a locale as clients on a platform see it, without items that this snapshot
    /// does not have. A nil platform is for clients that state none.
    package func list(of section: Section, in locale: LocaleTag, on platform: String? = nil) -> ArraySlice<ListEntry> {
        var list = section.entries(in: locale)
        if !hasAllItems || platform != nil {
            list = list.filter { entry in
                items.keys.contains(entry.item) && platform.flatMap { entry.platforms?.contains($0) } ?? true
            }
        }
        return list.prefix(section.list?.size ?? 0)
    }
}

/// The order of a shelf or a list, which is the same for all pages unless a locale or a platform has its own. It is found when a
/// client first requests the page, because a server has the snapshots of all feeds.
final class SharedOrder<Element: Sendable>: Sendable {
    private final class Shared: Sendable {
        /// The elements in order, or nil if a locale or a platform has its own order.
        let list: [Element]?

        init(_ list: [Element]?) { self.list = list }
    }

    private let shared = AtomicLazyReference<Shared>()

    /// Returns the elements in the order of a locale. `make` orders the placements for a locale.
    func list(
        _ placements: [String: PublishedPlacement], in locale: LocaleTag, make: ([String: PublishedPlacement], LocaleTag) -> [Element]
    ) -> [Element] {
        let shared = shared.load() ?? shared.storeIfNil(Shared(Self.isShared(placements) ? make(placements, .english) : nil))
        return shared.list ?? make(placements, locale)
    }

    private static func isShared(_ placements: [String: PublishedPlacement]) -> Bool {
        placements.values.allSatisfy { placement in
            switch placement.order {
            case .everywhere, nil: true
            case .byLocale, .byPlatform: false
            }
        }
    }
}

extension Placement {
    /// Returns the placements of a shelf: the pins in the order of their slots, then the candidates in the order of a locale and a
    /// platform.
    static func list(_ placements: [String: PublishedPlacement], in locale: LocaleTag, on platform: String?) -> [Placement] {
        var pins: [Placement] = []
        var candidates: [(rank: UInt64, placement: Placement)] = []
        candidates.reserveCapacity(placements.count)
        for (id, published) in placements {
            let item = published.item?.description
            if let pin = published.pin {
                pins.append(Placement(id: id, item: item, pin: .init(slot: pin.slot, target: pin.target), platforms: published.platforms))
            }
            if let position = published.position(in: locale, on: platform) {
                candidates.append((position.key.rank, Placement(id: id, item: item, platforms: published.platforms)))
            }
        }
        pins.sort { ($0.pin?.slot ?? 0, $0.id) < ($1.pin?.slot ?? 0, $1.id) }
        candidates.sort { $0.rank != $1.rank ? $0.rank < $1.rank : $0.placement.id < $1.placement.id }
        return pins + candidates.map(\.placement)
    }
}
