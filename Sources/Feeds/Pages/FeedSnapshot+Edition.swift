internal import Items
package import Resolve
package import Values

extension FeedSnapshot {
    /// Returns the page in the order of a locale, for the function `resolve`.
    package func edition(in locale: LocaleTag) -> Edition {
        Edition(
            sections: sections.map { section in
                let list = list(of: section, in: locale)
                return ResolvableSection(
                    id: section.published.id, target: section.published.target,
                    fill: section.published.fill,
                    placements: list.map { Placement(id: $0.id, item: $0.item.description) })
            })
    }

    /// Returns the list of a section in the order of a locale, without items that this snapshot does not have.
    func list(of section: Section, in locale: LocaleTag) -> [VisiblePlacement] {
        section.list(in: locale).filter { items.keys.contains($0.item) }
    }
}
