internal import Feeds
internal import Items

struct CandidateQuery {
    enum Subject {
        /// What its rule finds.
        case candidates
        /// The headings of items that the rule may not have found.
        case headings
    }

    /// Among the sections that are composed at once.
    let place: Int
    let subject: Subject
    let locale: LocaleTag?
    let request: CandidateRequest
}

struct RuleTimeBudget {
    /// How many more may take longer than one may.
    private var left: Int
    /// When all of them have had their time.
    private let end: ContinuousClock.Instant
    /// Those that took too long. Their sections are asked last in other storefronts, each alone.
    private(set) var slow: Set<FeedSection> = []

    init(for maxSlow: Int, within time: Duration) {
        left = maxSlow
        end = .now.advanced(by: time)
    }

    var isOver: Bool { left <= 0 || .now >= end }

    /// The number of rules, each of at most `time`, that fit into the rest of the budget: from one to the limit.
    func count(of time: Duration, atMost limit: Int) -> Int {
        precondition(time > .zero, "a rule has some time")
        let rest = ContinuousClock.now.duration(to: end)
        return time * limit <= rest ? limit : min(limit, max(1, Int(rest / time)))
    }

    mutating func spend() { left -= 1 }

    mutating func note(_ section: FeedSection) { slow.insert(section) }
}
