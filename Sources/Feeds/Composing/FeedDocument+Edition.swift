package import Items
package import Resolve
package import Values

extension FeedDocument {
    /// Returns the composed page in the order of a locale and a platform, for the function `resolve`. A placement has the ID of
    /// its item, or the key of its card after `~`.
    package func edition(
        of parts: [SectionPart: ComposedItems], in locale: LocaleTag, on platform: String? = nil,
        _ registry: ExperimentRegistry = ExperimentRegistry()
    ) -> Edition {
        Edition(
            sections: sections.compactMap { section -> ResolvableSection? in
                guard let shelf = parts[.shelf(section.key)], !shelf.isEmpty else { return nil }
                let candidates = shelf.order(in: locale, on: platform).map { item in
                    Placement(id: item.description, item: item.description, platforms: shelf.placements[item]?.platforms)
                }
                let pins = shelf.pins.map { pin in Placement(pin, platforms: pin.item.flatMap { shelf.placements[$0]?.platforms }) }
                return ResolvableSection(
                    id: id(of: section.key), target: section.target, fill: fill(of: section),
                    placements: pins + candidates)
            }, experiments: registry.assignments, holdout: registry.holdout)
    }

    /// Returns the ID that clients receive, such as `today/top-free`.
    package func id(of section: SectionKey) -> String { "\(key)/\(section)" }

    func fill(of section: FeedSection) -> Resolve.Fill {
        Resolve.Fill(size: section.size, minItems: section.minItems, without: section.without.map(id))
    }
}

extension Placement {
    fileprivate init(_ pin: ComposedItems.Pin, platforms: Set<String>?) {
        let item = pin.item?.description
        var id = item ?? ""
        if case .card(let card) = pin.content { id = "~\(card.key)" }
        self.init(id: id, item: item, pin: .init(slot: pin.slot, target: pin.target), platforms: platforms)
    }
}

// MARK: Conditions on sections

extension FeedDocument {
    /// Returns the items that some client of a storefront can see in each section, on any platform. It does not depend on the
    /// states of experiments: a client can have each arm.
    package func visibleItems(
        _ parts: [SectionPart: ComposedItems], in storefront: Storefront, on platforms: ClientPlatforms = ClientPlatforms()
    ) -> [SectionKey: Set<UUID>] {
        let keys = Dictionary(sections.map { (id(of: $0.key), $0.key) }, uniquingKeysWith: { first, _ in first })
        var facts = ClientFacts.nothingKnown
        facts.storefront = .said(storefront.key)
        var items: [SectionKey: Set<UUID>] = [:]
        // A page without rotations has one order for all platforms, and its candidates are enough for each of them. The document
        // decides, because the items of a section must not depend on which of the sections below it are composed.
        let turns = sections.contains { $0.sort.isRotation && $0.eligibility == .platform }
        for platform in [nil] + (turns ? platforms.all : []) {
            if turns { facts.platform = Fact(platform) }
            for locale in storefront.locales {
                var edition = edition(of: parts, in: locale, on: platform)
                edition.experiments = undecidedExperiments
                for section in resolve(edition, facts).sections {
                    guard let key = keys[section.id] else { continue }
                    items[key, default: []].formUnion(section.placements.lazy.compactMap { $0.item.flatMap { UUID($0) } })
                }
            }
        }
        return items
    }
}
