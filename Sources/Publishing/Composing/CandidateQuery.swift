internal import Feeds
internal import Items
internal import Values

struct CandidateQuery {
    enum Subject {
        /// The items that the rule finds.
        case candidates
        /// The headings of items that the rule can have missed.
        case headings
    }

    /// The index of the section in the batch.
    let index: Int
    let subject: Subject
    let locale: LocaleTag?
    let request: CandidateRequest
}

struct RuleTimeBudget {
    /// The number of rules that can still exceed the time limit of one rule.
    private var left: Int
    /// The time at which the budget of all rules ends.
    private let end: ContinuousClock.Instant
    /// The sections whose rules took too long. In other storefronts they run last, each alone.
    private(set) var slow: Set<FeedSection> = []
    /// The time limit of the server for one rule.
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

    /// Returns the number of rules that fit into the rest of the budget, from one to the limit. It assumes that each
    /// takes as long as the slowest so far.
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
