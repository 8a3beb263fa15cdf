internal import Feeds
internal import Values

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
        /// They come before the next import of many changes, because the last drain with either of them took such an import.
        case next
        /// They come before the next import, however small. A drain with either of them has failed, so no drain has both.
        case alone
    }

    private(set) var sections: [Section] = []
    private var keys: [StorefrontFeed: Set<SectionKey>] = [:]
    private var isNext = false
    /// Whether the last drain with imports or due sections has failed. The next due section is then composed alone, so that a
    /// section that always fails does not stop the others.
    private(set) var hasFailed = false
    /// The time since which sections are due without a backlog of imports, or nil if none are due.
    private var since: Timestamp?

    var count: Int { sections.count }
    var turn: Turn {
        if sections.isEmpty { return .none }
        if isNext { return hasFailed ? .alone : .next }
        return .last
    }

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

    /// Whether these sections have kept the head incomplete for so long that a drain composes all of them. Otherwise, a steady
    /// stream of small imports would make some due as fast as others are composed.
    func areOverdue(at time: Timestamp, after limit: Duration) -> Bool { since.map { $0.advanced(by: limit) <= time } ?? false }

    /// Records the part of this lane that a drain has published.
    mutating func noteSuccess(of share: OutboxShare, at time: Timestamp) {
        if sections.isEmpty {
            since = nil
        } else if share.taken.imports > 0 && share.left.imports > 0 {
            // The head stays incomplete in any case.
            since = time
        } else {
            since = min(since ?? time, time)
        }
        if share.takesManyImports || hasFailed && share.taken.imports > 0 {
            isNext = true
            if sections.isEmpty { hasFailed = false }
        } else if share.takesDue {
            (isNext, hasFailed) = (false, false)
        }
    }

    /// Records that a drain with these sections was not published. They are composed after the others, and imports come first. After
    /// a failure with imports alone, due sections come first. A drain with edits can have failed because of these, and one without
    /// them follows.
    mutating func noteFailure(of share: OutboxShare, composing failed: [StorefrontFeed: Set<SectionKey>]) {
        guard share.taken.edits == 0, share.takesDue || share.taken.imports > 0 else { return }
        (isNext, hasFailed) = (!share.takesDue, true)
        guard share.takesDue else { return }
        since = nil
        let isFailed = { (section: Section) in failed[section.storefrontFeed]?.contains(section.key) == true }
        sections = sections.filter { !isFailed($0) } + sections.filter(isFailed)
    }
}
