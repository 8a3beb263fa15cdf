internal import Feeds
internal import Items
internal import Postgres
internal import Values

/// The findings that the sequencer keeps between drains, and what they depend on.
struct HealthState {
    /// The findings of a feed in a storefront, by what causes them.
    struct FeedFindings {
        var content: [StorefrontFinding] = []
        var actions: [StorefrontFinding] = []
        var schedule: [StorefrontFinding] = []

        var all: [StorefrontFinding] { content + actions + schedule }
    }

    var findings: [StorefrontFeed: FeedFindings] = [:]
    /// The stored findings.
    var recorded: [StorefrontFeed: [StorefrontFinding.Identity: RecordedFinding]] = [:]
    /// The number of the findings of each feed, each counted once for the storefronts that share it.
    var counts: [String: [LiveFinding.Kind: Int]] = [:]
    /// The actions of each revision that is live.
    var actions: [SequencerState.Revision: [PinAction]] = [:]
    /// The items that actions open, by storefront, as far as they are available.
    var openItems: [String: Set<UUID>] = [:]
    /// All items that actions open.
    var items: Set<UUID> = []
    var schedules = FeedSchedules()

    /// The items that actions open, as documents name them.
    var openedItems: Set<ItemReference> {
        var items: Set<ItemReference> = []
        for actions in actions.values {
            for action in actions { if case .item(let item) = action.action { items.insert(item) } }
        }
        return items
    }
}

/// The parts of the schedules that cause findings, by feed and storefront. They stay the same until a span changes, or until
/// ``nextChange``.
struct FeedSchedules {
    private(set) var takeovers: [StorefrontFeed: [TakeoverAhead]] = [:]
    private(set) var movedSpans: [StorefrontFeed: [MovedSpan]] = [:]
    /// The next time at which the clock alone adds or removes a finding, or nil if it never does. The end of a takeover is not
    /// among these times, because it is a change of the feed.
    private(set) var nextChange: Timestamp?

    init() {}

    /// Creates the parts that were read at a time.
    init(takeovers: PostgresResult, movedSpans: PostgresResult, at time: Timestamp) throws(PostgresError) {
        for (feed, storefront, publication, revision, start, end, isAboveBase) in try takeovers.rows(
            as: String.self, String.self, Int.self, Int32.self, Timestamp.self, Timestamp?.self, Bool.self)
        {
            self.takeovers[StorefrontFeed(storefront: storefront, feed: feed), default: []].append(
                TakeoverAhead(publication: publication, revision: Int(revision), start: start, end: end, isAboveBase: isAboveBase))
        }
        for (feed, storefront, publication, revision, isMoved, start, end, previousStart, previousEnd) in try movedSpans.rows(
            as: String.self, String.self, Int.self, Int32.self, Bool.self, Timestamp.self, Timestamp?.self, Timestamp?.self, Timestamp?.self
        ) {
            self.movedSpans[StorefrontFeed(storefront: storefront, feed: feed), default: []].append(
                MovedSpan(
                    publication: publication, revision: Int(revision), isMoved: isMoved, start: start, end: end,
                    previousStart: previousStart, previousEnd: previousEnd))
        }
        let notices = self.takeovers.values.joined().compactMap { $0.nextFinding(after: time) }
        nextChange = (notices + self.movedSpans.values.joined().compactMap { $0.nextBound(after: time) }).min()
    }

    var places: Set<StorefrontFeed> { Set(takeovers.keys).union(movedSpans.keys) }

    /// Returns the findings of a feed in a storefront at a time.
    func findings(of place: StorefrontFeed, at time: Timestamp) -> [StorefrontFinding] {
        (takeovers[place] ?? []).flatMap { $0.findings(at: time) } + (movedSpans[place] ?? []).map(\.finding)
    }
}
