internal import Items
package import Resolve
package import Values

extension FeedSnapshot {
    /// Returns the page in the order of a locale, for the function `resolve`.
    package func edition(in locale: LocaleTag) -> Edition {
        Edition(
            sections: sections.map { section in
                let shelf = section.shelf(in: locale).filter { items.keys.contains($0.item) }
                return ResolvableSection(
                    id: section.published.id, target: section.published.target, fill: section.published.fill,
                    placements: shelf.map { Placement(id: $0.id, item: $0.item.description) })
            })
    }

    /// Returns the list of a section in the order of a locale, without items that this snapshot does not have.
    func list(of section: Section, in locale: LocaleTag) -> [VisiblePlacement] {
        section.entries(in: locale).filter { items.keys.contains($0.item) }
    }
}
