internal import Feeds
internal import Items
internal import Values

/// What the sequencer knows from one drain to the next: nothing that could not be read again.
struct SequencerState {
    struct Revision: Hashable {
        let feed: String
        let number: Int
    }

    var head: Int
    /// What the clock has changed until then is published.
    var time: Timestamp
    /// The same as the database knows it, which tells it to whoever begins anew.
    var publishedTime = Timestamp.epoch
    var storefronts: [StorefrontDay] = []
    var documents: [Revision: FeedDocument] = [:]
    /// Those that this program cannot read.
    var unreadable: Set<Revision> = []
    var references: [ItemReference: UUID] = [:]
    var shown: [StorefrontFeed: PublishedFeedState] = [:]
    var layouts: Set<String> = []
    /// When the clock next changes what a section shows by itself.
    var sectionEnds: [StorefrontFeed: [SectionKey: Timestamp]] = [:]
    /// Of the sections that do not show what their rules find.
    var retainedSections: [StorefrontFeed: [SectionKey: RetainedSectionCause]] = [:]
    /// Where something is published that this program cannot read.
    var sealed: Set<StorefrontFeed> = []
    /// When the next items come and go by the clock, by storefront.
    var availability: [String: AvailabilityTimeline] = [:]
    /// When the next of those comes or goes that the feed may show; nil for none.
    var feedAvailability: [StorefrontFeed: Timestamp?] = [:]
    /// Those that have not followed what changed, as what they are to show cannot be read.
    var neglected: Set<StorefrontFeed> = []

    func document(of revision: Int?, _ feed: String) -> FeedDocument? {
        revision.flatMap { documents[Revision(feed: feed, number: $0)] }
    }
}
