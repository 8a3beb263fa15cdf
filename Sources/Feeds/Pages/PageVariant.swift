internal import Items
package import Layout
package import Resolve
package import Values

/// The values that distinguish the pages of a snapshot. Only values that the snapshot uses are included, so that
/// clients share pages.
package struct PageVariant: Sendable, Hashable {
    package let locale: LocaleTag
    /// Whether each section and each pin with a target is shown, or the conditions on it that the client evaluates, by
    /// position.
    package let visibility: [Target.Reply]
    /// The arm of the client in each experiment, or that the client computes it.
    package let arms: [String: Fact<String>]
    /// The capabilities among those that the layouts of the snapshot require. They are nil if the client has not sent
    /// any.
    package let capabilities: Set<Capability>?
    package let screen: String?
    /// The platform, which decides about the items and is a part of links.
    package let platform: String?

    package init(_ context: PageContext, of snapshot: FeedSnapshot, _ table: LayoutTable) {
        locale = context.locales.requested
        let registry = snapshot.feed.registry
        let arms = Edition(sections: [], experiments: registry.assignments, holdout: registry.holdout).arms(of: context.facts.client)
        visibility = snapshot.targets.map { $0.ask(context.facts, arms) }
        self.arms = arms
        capabilities = context.capabilities.map { $0.intersection(snapshot.needs(table)) }
        screen = context.screen?.name
        platform = context.platform
    }
}

extension FeedSnapshot {
    /// Returns the capabilities that a client needs for every layout without fallbacks.
    func needs(_ table: LayoutTable) -> Set<Capability> {
        sections.reduce(into: []) { needs, section in
            for id in section.published.layouts { needs.formUnion(table.known(id)?.needs ?? []) }
        }
    }
}

extension PublishedSection {
    /// All referenced layouts, without their fallbacks.
    var layouts: [LayoutID] {
        [arrangement, seeAll?.arrangement].compactMap(\.self).flatMap(\.layouts)
    }
}
