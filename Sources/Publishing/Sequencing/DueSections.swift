internal import Feeds
internal import Values

/// The sections that imports have changed and that later drains compose, the longest waiting first.
///
/// They are only in memory, because a new sequencer composes all sections.
struct DueSections {
    struct Section: Sendable, Hashable {
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
    /// Whether the last drain with imports or due sections has failed.
    private var isAfterFailure = false
    /// Whether one of these sections has ended a session, and it is unknown which one.
    var hasSuspects = false
    /// The time of the first import that added sections while others were due, or nil if a drain has left none of them, or has left
    /// imports.
    private var since: Timestamp?
    /// Whether the current drain has added sections while others were due.
    private var isGrowing = false

    var count: Int { sections.count }
    /// Whether the next due section is composed alone, so that a section that always fails does not stop the others.
    var hasFailed: Bool { isAfterFailure || hasSuspects }
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

    /// Adds the sections that the imports of a drain affect.
    mutating func insert(_ affected: [StorefrontFeed: [SectionKey]], at time: Timestamp) {
        let before = count
        for (storefrontFeed, keys) in affected.sorted(by: { ($0.key.feed, $0.key.storefront) < ($1.key.feed, $1.key.storefront) }) {
            for key in keys { insert(key, in: storefrontFeed) }
        }
        isGrowing = before > 0 && count > before
        // The clock can have moved back.
        if isGrowing { since = min(since ?? time, time) }
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

    /// Whether imports have added sections for so long while others were due that the current drain, which adds some again, composes
    /// many of them. Otherwise, a steady stream of small imports would make some due as fast as others are composed, and the head
    /// would stay incomplete.
    func areOverdue(at time: Timestamp, after limit: Duration) -> Bool {
        isGrowing && since.map { $0.advanced(by: limit) <= time } ?? false
    }

    /// Records the part of this lane that a drain has published.
    mutating func noteSuccess(of share: OutboxShare) {
        // While imports wait, the head is incomplete in any case.
        if sections.isEmpty || share.taken.imports > 0 && share.left.imports > 0 { since = nil }
        if share.takesManyImports || hasFailed && share.taken.imports > 0 {
            isNext = true
            if sections.isEmpty { isAfterFailure = false }
        } else if share.takesDue {
            (isNext, isAfterFailure) = (false, false)
        }
    }

    /// Records that a drain with these sections was not published. They are composed after the others, and imports come first. After
    /// a failure with imports alone, due sections come first. A drain with edits can have failed because of these, and one without
    /// them follows.
    mutating func noteFailure(of share: OutboxShare, composing failed: [StorefrontFeed: Set<SectionKey>]) {
        guard share.taken.edits == 0, share.takesDue || share.taken.imports > 0 else { return }
        (isNext, isAfterFailure) = (!share.takesDue, true)
        guard share.takesDue else { return }
        since = nil
        let isFailed = { (section: Section) in failed[section.storefrontFeed]?.contains(section.key) == true }
        sections = sections.filter { !isFailed($0) } + sections.filter(isFailed)
    }
}
