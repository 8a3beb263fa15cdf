internal import Catalog
internal import Postgres
internal import Time

/// What the sequencer knows from one drain to the next: nothing that could not be read again.
struct SequencerState {
    struct Revision: Hashable {
        let feed: String
        let number: Int
    }

    /// What is published behind it.
    var head: Int
    /// What the clock has changed until then is published.
    var moment: Timestamp
    /// The same as the database knows it, which tells it to whoever begins anew.
    var publishedMoment = Timestamp.epoch
    var storefronts: [OpenStorefront] = []
    /// Of the revisions that are shown.
    var documents: [Revision: FeedDocument] = [:]
    /// Those that this program cannot read.
    var unreadable: Set<Revision> = []
    /// What the documents name.
    var references: [ItemReference: UUID] = [:]
    var shown: [FeedPlace: ShownFeed] = [:]
    var layouts: Set<String> = []
    /// When the clock next changes what a section shows by itself.
    var sectionEnds: [FeedPlace: [SectionKey: Timestamp]] = [:]

    init(head: Int, moment: Timestamp) {
        self.head = head
        self.moment = moment
    }

    func document(of revision: Int?, _ feed: String) -> FeedDocument? {
        revision.flatMap { documents[Revision(feed: feed, number: $0)] }
    }
}
