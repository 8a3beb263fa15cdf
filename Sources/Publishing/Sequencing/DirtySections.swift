internal import Feeds
internal import Items

struct DirtySections {
    private(set) var dirtySections: [StorefrontFeed: Set<SectionKey>] = [:]

    mutating func insert(_ section: SectionKey, in storefrontFeed: StorefrontFeed) {
        dirtySections[storefrontFeed, default: []].insert(section)
    }

    /// Adds a feed whose sections keep their items.
    mutating func insertFeed(_ storefrontFeed: StorefrontFeed) { dirtySections[storefrontFeed, default: []].formUnion([]) }

    /// Adds all sections of a document, even if it has none. The published document of the feed itself can differ.
    mutating func insertAll(of document: FeedDocument?, in storefrontFeed: StorefrontFeed) {
        dirtySections[storefrontFeed, default: []].formUnion(document?.sections.map(\.key) ?? [])
    }

    /// Adds the sections below each dirty section whose rules refer to it.
    mutating func insertDependents(of document: FeedDocument, in storefrontFeed: StorefrontFeed) {
        guard var dirty = dirtySections[storefrontFeed] else { return }
        for section in document.sections
        where section.parts.contains(where: { !dirty.isDisjoint(with: document.sectionsAbove($0.selection)) }) {
            dirty.insert(section.key)
        }
        dirtySections[storefrontFeed] = dirty
    }
}
