internal import Feeds
internal import Items
internal import Values

/// The state that the sequencer keeps between drains. All of it can be read again.
struct SequencerState {
    struct Revision: Hashable {
        let feed: String
        let number: Int
    }

    var head: Int
    /// The time up to which the changes by the clock are published.
    var time: Timestamp
    /// The same time in the database, from which another sequencer starts.
    var publishedTime = Timestamp.epoch
    var storefronts: [StorefrontDay] = []
    var documents: [Revision: FeedDocument] = [:]
    /// The revisions that this program cannot read.
    var unreadable: Set<Revision> = []
    var references: [ItemReference: UUID] = [:]
    var published: [StorefrontFeed: PublishedFeedState] = [:]
    var layouts: Set<String> = []
    /// The next time at which the clock alone changes the items of a shelf or a list.
    var sectionEnds: [StorefrontFeed: [SectionPart: Timestamp]] = [:]
    /// The shelves and lists that do not show the items that their rules find.
    var retainedSections: [StorefrontFeed: [SectionPart: RetainedSectionCause]] = [:]
    /// The published feeds that this program cannot read.
    var sealed: Set<StorefrontFeed> = []
    /// The next availability changes of items, by storefront.
    var availability: [String: AvailabilityTimeline] = [:]
    /// The next availability change of an item that the feed can show, or nil if no change is known.
    var feedAvailability: [StorefrontFeed: Timestamp?] = [:]
    /// The feeds that missed changes because their revisions are unreadable.
    var neglected: Set<StorefrontFeed> = []

    func document(of revision: Int?, _ feed: String) -> FeedDocument? {
        revision.flatMap { documents[Revision(feed: feed, number: $0)] }
    }
}
