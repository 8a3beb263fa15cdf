package import Items
package import Layout

/// What tells one page of an edition from another. Only what the edition really uses is in it, so that clients share pages.
package struct PageVariant: Sendable, Hashable {
    package let locale: LocaleTag
    /// Of the sections that have a target, by their places: whether each is shown.
    package let shown: [Bool]
    /// Of those that layouts of the edition ask for; nil where the client has not said what it can do.
    package let capabilities: Set<Capability>?
    package let screen: String?

    package init(_ context: PageContext, of edition: FeedSnapshot, _ table: LayoutTable) {
        locale = context.locales.wanted
        shown = edition.sections.compactMap { $0.published.target?.includes(context.audience) }
        capabilities = context.capabilities.map { $0.intersection(edition.needs(table)) }
        screen = context.screen?.name
    }
}

extension FeedSnapshot {
    /// What a client has to be able to do to follow every layout as it is.
    func needs(_ table: LayoutTable) -> Set<Capability> {
        sections.reduce(into: []) { needs, section in
            for id in section.published.layouts {
                if case .known(let descriptor)? = table[id] { needs.formUnion(descriptor.needs) }
            }
        }
    }
}

extension PublishedSection {
    /// All that it refers to, without what those fall back on.
    var layouts: [LayoutID] {
        [arrangement.layout] + arrangement.variants.map(\.layout) + arrangement.alternates.map(\.layout)
            + [seeAll?.layout].compactMap(\.self)
    }
}
