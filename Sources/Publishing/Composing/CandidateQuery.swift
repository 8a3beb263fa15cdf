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
    /// The time that the server allows a rule.
    private let ruleTime: Duration
    /// The longest mean time of a rule in a round trip.
    private var slowest: Duration?

    init(for maxSlow: Int, each ruleTime: Duration, within time: Duration) {
        left = maxSlow
        self.ruleTime = ruleTime
        end = .now.advanced(by: time)
    }

    var isOver: Bool { left <= 0 || .now >= end }

    private var timePerRule: Duration { max(slowest ?? ruleTime, .microseconds(1)) }

    /// The number of rules that fit into the rest of the budget, from one to the limit, if each takes as long as the slowest so far.
    func count(atMost limit: Int) -> Int {
        let rest = ContinuousClock.now.duration(to: end)
        return timePerRule * limit <= rest ? limit : min(limit, max(1, Int(rest / timePerRule)))
    }

    /// Records how long a round trip of several rules took.
    mutating func record(_ rules: Int, in time: Duration) {
        slowest = max(slowest ?? .zero, time / rules)
    }

    mutating func spend() { left -= 1 }

    mutating func note(_ section: FeedSection) { slow.insert(section) }
}
