package import Feeds
internal import Items

struct DirtySections {
    private(set) var dirtySections: [StorefrontFeed: Set<SectionKey>] = [:]

    mutating func insert(_ section: SectionKey, in storefrontFeed: StorefrontFeed) {
        dirtySections[storefrontFeed, default: []].insert(section)
    }

    /// Adds all sections of a document, even if it has none. The published document of the feed itself can differ.
    mutating func insertAll(of document: FeedDocument?, in storefrontFeed: StorefrontFeed) {
        dirtySections[storefrontFeed, default: []].formUnion(document?.sections.map(\.key) ?? [])
    }

    /// Adds the sections below each dirty section whose rules refer to it.
    mutating func insertDependents(of document: FeedDocument, in storefrontFeed: StorefrontFeed) {
        guard var dirty = dirtySections[storefrontFeed] else { return }
        for section in document.sections where !dirty.isDisjoint(with: section.sectionsAbove) { dirty.insert(section.key) }
        dirtySections[storefrontFeed] = dirty
    }
}

extension FeedSection {
    /// The sections to which its rule and the rules of its badges refer.
    var sectionsAbove: Set<SectionKey> { rules.reduce(into: []) { $0.formUnion($1.sections) } }

    /// Whether its items change when a day begins.
    var followsTheDay: Bool { rules.contains(where: \.followsTheDay) }

    var references: [ItemReference] {
        pins.map(\.item) + exclusions
            + badges.flatMap { badge in
                if case .items(let items) = badge.bearers { items } else { [ItemReference]() }
            }
    }

    private var rules: [Rule] {
        [rule].compactMap(\.self)
            + badges.compactMap { badge in
                if case .rule(let rule) = badge.bearers { rule } else { nil }
            }
    }
}

extension Rule {
    /// The sections of `inSection`, at any depth of the rule.
    package var sections: Set<SectionKey> {
        switch self {
        case .all(let rules), .any(let rules): rules.reduce(into: []) { $0.formUnion($1.sections) }
        case .not(let rule): rule.sections
        case .inSection(let keys): Set(keys)
        default: []
        }
    }

    var followsTheDay: Bool {
        switch self {
        case .all(let rules), .any(let rules): rules.contains(where: \.followsTheDay)
        case .not(let rule): rule.followsTheDay
        case .releasedWithin: true
        default: false
        }
    }
}
