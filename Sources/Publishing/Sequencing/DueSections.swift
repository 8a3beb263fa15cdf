internal import Feeds

/// The sections that imports have changed and that later drains compose, the longest waiting first.
///
/// They are only in memory, because a new sequencer composes all sections.
struct DueSections {
    struct Section: Hashable {
        let storefrontFeed: StorefrontFeed
        let key: SectionKey
    }

    /// The order of these sections and of imports that wait in the outbox.
    enum Turn {
        /// There are no due sections.
        case none
        /// The next import comes first.
        case last
        /// They come before the next import, because the last drain with either of them took an import.
        case next
    }

    private(set) var sections: [Section] = []
    private var keys: [StorefrontFeed: Set<SectionKey>] = [:]
    private var isNext = false

    var count: Int { sections.count }
    var turn: Turn { sections.isEmpty ? .none : isNext ? .next : .last }

    var storefrontFeeds: [StorefrontFeed] { Array(keys.keys) }

    /// The due sections of a feed.
    func keys(in storefrontFeed: StorefrontFeed) -> Set<SectionKey> { keys[storefrontFeed] ?? [] }

    mutating func insert(_ key: SectionKey, in storefrontFeed: StorefrontFeed) {
        guard keys[storefrontFeed, default: []].insert(key).inserted else { return }
        sections.append(Section(storefrontFeed: storefrontFeed, key: key))
    }

    /// Removes the other sections of a feed.
    mutating func keep(_ kept: Set<SectionKey>, in storefrontFeed: StorefrontFeed) {
        guard let waiting = keys[storefrontFeed], !waiting.isSubset(of: kept) else { return }
        removeAll { $0.storefrontFeed == storefrontFeed && !kept.contains($0.key) }
    }

    mutating func removeAll(where isRemoved: (Section) -> Bool) {
        let before = sections.count
        sections.removeAll(where: isRemoved)
        if sections.count < before { keys = Dictionary(grouping: sections, by: \.storefrontFeed).mapValues { Set($0.map(\.key)) } }
    }

    /// Records whether a drain has taken many imported changes, or else has composed due sections.
    mutating func note(tookImports: Bool, composed: Bool) {
        if tookImports { isNext = true } else if composed { isNext = false }
    }
}
