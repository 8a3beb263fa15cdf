internal import Feeds
internal import Items

struct DirtySections {
    private(set) var dirtySections: [StorefrontFeed: Set<SectionKey>] = [:]

    func count(in storefrontFeed: StorefrontFeed) -> Int { dirtySections[storefrontFeed]?.count ?? 0 }

    mutating func insert(_ section: SectionKey, in storefrontFeed: StorefrontFeed) {
        dirtySections[storefrontFeed, default: []].insert(section)
    }

    /// Adds a feed whose sections keep their items.
    mutating func insertFeed(_ storefrontFeed: StorefrontFeed) { dirtySections[storefrontFeed, default: []].formUnion([]) }

    /// Adds all sections of a document, even if it has none. The published document of the feed itself can differ.
    mutating func insertAll(of document: FeedDocument?, in storefrontFeed: StorefrontFeed) {
        dirtySections[storefrontFeed, default: []].formUnion(document?.sections.map(\.key) ?? [])
    }

    /// Removes sections, which then keep their items. Their feed stays.
    mutating func remove(_ sections: Set<SectionKey>, in storefrontFeed: StorefrontFeed) {
        dirtySections[storefrontFeed]?.subtract(sections)
    }

    /// Adds the sections below each dirty section whose rules refer to it, and the due sections on which a dirty one depends, also
    /// indirectly. So no section is composed below an outdated one.
    mutating func insertRelated(of document: FeedDocument, in storefrontFeed: StorefrontFeed, due: Set<SectionKey>) {
        guard var dirty = dirtySections[storefrontFeed] else { return }
        let above = document.sections.map { section in
            section.parts.reduce(into: Set<SectionKey>()) { $0.formUnion(document.sectionsAbove($1.selection)) }
        }
        var count: Int
        repeat {
            for (section, above) in zip(document.sections, above) where !dirty.isDisjoint(with: above) { dirty.insert(section.key) }
            count = dirty.count
            if !due.isEmpty { dirty.formUnion(document.required(for: dirty).intersection(due)) }
        } while dirty.count > count
        dirtySections[storefrontFeed] = dirty
    }
}
