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
    /// The version of each published storefront, and the storefront, which is nil if it is unreadable.
    var publishedStorefronts: [String: (version: Int, storefront: Storefront?)] = [:]
    /// The platforms of clients.
    var platforms = ClientPlatforms()
    /// The live revision of each feed in each storefront by its schedule, its publication, and the time until which it is live.
    var live: [StorefrontFeed: Drain.LiveSpan] = [:]
    var documents: [Revision: FeedDocument] = [:]
    /// The clocks for the periods of sections. The session does not notice other zone rules, so a new leader reads them again.
    var clocks = LocalClocks()
    /// The revisions that this program cannot read, with the issue of each.
    var unreadable: [Revision: String] = [:]
    var references: [ItemReference: UUID] = [:]
    /// The folded form of each name in the documents that only the database can fold.
    var foldedNames: [String: String] = [:]
    var published: [StorefrontFeed: PublishedFeedState] = [:]
    var layouts: Set<String> = []
    /// The next time at which the clock alone changes the items of a shelf or a list.
    var sectionEnds: [StorefrontFeed: [SectionPart: Timestamp]] = [:]
    /// The shelves and lists that do not show the items that their rules find.
    var retainedSections: [StorefrontFeed: [SectionPart: RetainedSectionCause]] = [:]
    /// The published feeds that this program cannot read, with the issue of each.
    var sealed: [StorefrontFeed: String] = [:]
    /// The next availability changes of items, by storefront.
    var availability: [String: AvailabilityTimeline] = [:]
    /// The next availability change of an item that the feed can show, or nil if no change is known.
    var feedAvailability: [StorefrontFeed: Timestamp?] = [:]
    var composedFacts = ComposedFacts()
    var due = DueSections()
    /// The feeds that missed changes because their revisions are unreadable.
    var neglected: Set<StorefrontFeed> = []
    var health = HealthState()

    func document(of revision: Int?, _ feed: String) -> FeedDocument? {
        revision.flatMap { documents[Revision(feed: feed, number: $0)] }
    }
}
