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

    /// The tasks that use the reply. Shelves and lists of a feed in a storefront share one query if their rules are the same.
    private(set) var tasks: [Int]
    let subject: Subject
    let locale: LocaleTag?
    /// The request of the task that needs the most items.
    private(set) var request: CandidateRequest
    /// The number of items that each task needs for clients that state no platform, and for those of each platform.
    private var limits: [Int: Int]

    init(_ subject: Subject, of task: Int, in locale: LocaleTag?, _ request: CandidateRequest) {
        self.subject = subject
        self.locale = locale
        self.request = request
        tasks = [task]
        limits = [task: request.limit]
    }

    /// The tasks that need the most items, whose own queries would take as long.
    var largestTasks: [Int] { tasks.filter { limits[$0] == request.limit } }

    /// Returns the items of the reply that a task needs, as the reply to its own request would have them.
    func items(of reply: FoundCandidates, for task: Int) -> [Candidate] {
        // A rotation is not shared.
        if case .rotation = request.order { return reply.items }
        return reply.first(limits[task] ?? request.limit, on: request.platforms.keys)
    }

    /// Uses the reply for another task too, if that task needs the same items, or the first ones of the same order.
    mutating func share(with other: CandidateQuery) -> Bool {
        guard subject == other.subject, locale == other.locale, request.isSame(as: other.request) else { return false }
        tasks += other.tasks
        limits.merge(other.limits) { first, _ in first }
        if other.request.limit > request.limit { request = other.request }
        return true
    }
}

extension CandidateRequest {
    /// Whether another request finds the items of the same order, maybe more or fewer of them. The items of a rotation depend on
    /// the slots of its section.
    fileprivate func isSame(as other: CandidateRequest) -> Bool {
        if case .rotation = order { return false }
        return order == other.order && form == other.form && exclusions == other.exclusions && storefront == other.storefront
            && today == other.today && platforms.keys == other.platforms.keys
    }
}

/// The rule of tasks that can share a query.
struct SharedRule: Hashable {
    let feed: Int
    /// The locale by whose titles the items are sorted.
    let locale: LocaleTag?
    let form: RuleNormalForm
}

struct RuleTimeBudget {
    /// The number of rules that can still exceed the time limit of one rule.
    private var left: Int
    /// The time at which the budget of all rules ends.
    private let end: ContinuousClock.Instant
    /// The selections whose rules took too long. In other storefronts they run last, each alone.
    private(set) var slow: Set<ItemSelection> = []
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

    mutating func note(_ selection: ItemSelection) { slow.insert(selection) }
}
