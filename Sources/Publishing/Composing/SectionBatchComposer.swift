internal import Feeds
internal import Items
internal import Postgres
internal import Values

/// Composes sections of several feeds and storefronts, of what the catalog has at one moment. Those that stand one upon the other by
/// `inSection` are composed in rounds, each of which asks for all of its sections at once.
struct SectionBatchComposer {
    struct Task {
        /// By what is known of its rule.
        enum Attempt { case withOthers, alone, notNow }

        /// In which of the feeds.
        let feed: Int
        let section: FeedSection
        let day: StorefrontDay
        /// What it showed before, where it was arranged in the same words.
        let previous: ComposedSection?
        var attempt = Attempt.withOthers
    }

    struct Answer {
        let task: Task
        let context: RuleContext
        let supply: SectionInputs?
        let section: ComposedSection?
        let ruleFailure: RuleFailure?
        /// When the clock changes what the section finds, with all else as it is.
        let end: Timestamp?
    }

    let ruleTime: Duration
    let time: Timestamp
    let references: [ItemReference: UUID]
    /// How many candidates more than can be shown are asked for.
    var surplus = 0
    /// How many rules may take longer than they may before the others are left for another time.
    var maxSlow = Int.max
    /// How long all of them may take before that.
    var timeForRules: Duration
    /// Whether a round trip has no more rules than the rest of that time allows, so that it is passed by one rule at most. A drain rather passes
    /// it than that it makes more round trips.
    var endsInTime = false
    let session: PostgresSession

    /// `sections` are those of each feed that are composed already, and in the end all.
    func compose(_ tasks: [Task], into sections: inout [[SectionKey: ComposedSection]]) async throws -> [Answer] {
        var waiting = tasks
        var timeout = RuleTimeBudget(for: maxSlow, each: ruleTime, within: timeForRules)
        var answers: [Answer] = []
        while !waiting.isEmpty {
            let later = Dictionary(grouping: waiting, by: \.feed).mapValues { Set($0.map(\.section.key)) }
            let ready = waiting.filter { later[$0.feed].map($0.section.sectionsAbove.isDisjoint) ?? true }
            // Sections name only those above them, so there is always a first.
            precondition(!ready.isEmpty, "sections wait for each other")
            waiting.removeAll { task in ready.contains { $0.feed == task.feed && $0.section.key == task.section.key } }
            let composed = try await compose(ready, sections.map { $0.mapValues(\.items) }, &timeout)
            for answer in composed { sections[answer.task.feed][answer.task.section.key] = answer.section }
            answers += composed
        }
        return answers
    }

    private func compose(
        _ tasks: [Task], _ items: [[SectionKey: Set<UUID>]], _ timeout: inout RuleTimeBudget
    ) async throws -> [Answer] {
        let contexts = tasks.map { task in
            RuleContext(storefront: task.day.storefront, today: task.day.today, itemsOfSections: items[task.feed])
        }
        var asked: [String: (storefront: Storefront, items: Set<UUID>)] = [:]
        for task in tasks {
            let items = Set(task.section.references.compactMap { references[$0] }).union(task.previous?.items ?? [])
            asked[task.day.storefront.key, default: (task.day.storefront, [])].items.formUnion(items)
        }
        let facts = try await facts(Array(asked.values))
        var (questions, failures) = questions(of: tasks, contexts, facts)
        questions += headings(of: tasks, contexts).filter { failures[$0.place] == nil }
        let replies = try await replies(to: questions, of: tasks, &timeout)
        failures.merge(replies.failures) { first, _ in first }
        var supplies = tasks.map { SectionInputs(known: facts[$0.day.storefront.key] ?? [:], references: references) }
        for (question, list) in zip(questions, replies.lists) { supplies[question.place].add(list, to: question) }
        return tasks.enumerated().map { place, task in
            if let ruleFailure = failures[place] {
                let left = task.previous?.keeping(supplies[place].known)
                return Answer(task: task, context: contexts[place], supply: nil, section: left, ruleFailure: ruleFailure, end: nil)
            }
            let section = SectionComposer(task.section, supplies[place], replacing: task.previous, contexts[place]).composed()
            return Answer(
                task: task, context: contexts[place], supply: supplies[place], section: section, ruleFailure: nil, end: end(of: task))
        }
    }

    /// By storefront and item; without those that are not there at the moment, or never.
    func facts(
        _ asked: [(storefront: Storefront, items: Set<UUID>)], whenever: Bool = false
    ) async throws(PostgresError) -> [String: [UUID: ItemFacts]] {
        let asked = asked.filter { !$0.items.isEmpty }
        if asked.isEmpty { return [:] }
        let results = try await session.run(
            asked.map { storefront, items in
                PostgresQuery(RuleQueries.facts, Array(items), storefront.scopes, whenever ? nil : time, storefront.key)
            })
        var facts: [String: [UUID: ItemFacts]] = [:]
        for ((storefront, _), result) in zip(asked, results) {
            for row in try result.rows(
                as: UUID?.self, String?.self, [String]?.self, Int?.self, Int?.self, CalendarDay?.self, Int?.self, Int?.self)
            {
                if let item = ItemFacts(row) { facts[storefront.key, default: [:]][item.id] = item }
            }
        }
        return facts
    }

    /// What the rules find; those that are not asked have a lack, by their places.
    private func questions(
        of tasks: [Task], _ contexts: [RuleContext], _ facts: [String: [UUID: ItemFacts]]
    ) -> (questions: [CandidateQuery], failures: [Int: RuleFailure]) {
        var questions: [CandidateQuery] = []
        var failures: [Int: RuleFailure] = [:]
        for (place, task) in tasks.enumerated() {
            guard let rule = task.section.rule else { continue }
            guard let form = contexts[place].normalForm(of: rule) else {
                failures[place] = .tooLarge
                continue
            }
            guard task.attempt != .notNow else {
                failures[place] = .skipped
                continue
            }
            for (locale, order) in task.section.sort.orders(in: task.day.storefront) {
                var request = CandidateRequest(
                    form, by: order, in: contexts[place], limit: task.section.limit + task.section.pins.count + surplus,
                    exclusions: task.section.exclusions.compactMap { references[$0] })
                if case .rotation = order {
                    // In the places that are left take turns those that have none; where it stands depends on how many these are.
                    let supply = SectionInputs(known: facts[task.day.storefront.key] ?? [:], references: references)
                    let pinned = supply.pins(of: task.section).values
                    request.limit = task.section.limit - pinned.count
                    request.exclusions += pinned
                }
                questions.append(CandidateQuery(place: place, subject: .candidates, locale: locale, request: request))
            }
        }
        return (questions, failures)
    }

    /// The headings of items that the rule of a grouped section may not have found: those that are pinned, or stood in it before.
    private func headings(of tasks: [Task], _ contexts: [RuleContext]) -> [CandidateQuery] {
        var questions: [CandidateQuery] = []
        for (place, task) in tasks.enumerated() where task.section.grouping == .initial {
            var context = contexts[place]
            let items = Set(task.section.pins.compactMap { references[$0.item] }).union(task.previous?.items ?? [])
            context.itemsOfSections = [task.section.key: items]
            guard !items.isEmpty, let form = context.normalForm(of: .inSection([task.section.key])) else { continue }
            for (locale, order) in task.section.sort.orders(in: task.day.storefront) {
                let request = CandidateRequest(form, by: order, in: context, limit: items.count)
                questions.append(CandidateQuery(place: place, subject: .headings, locale: locale, request: request))
            }
        }
        return questions
    }

    private func end(of task: Task) -> Timestamp? {
        var ends: [Timestamp] = []
        if task.section.followsTheDay { ends.append(task.day.midnight) }
        if case .rotation(let rotation) = task.section.sort {
            switch rotation.nextStep(after: time, on: task.day.today) {
            case .time(let time): ends.append(time)
            // Perhaps a later one, which is seen when this one begins.
            case .day: ends.append(task.day.midnight)
            }
        }
        return ends.min()
    }
}

extension Sort {
    /// One order, or one for each locale that the storefront is shown in.
    fileprivate func orders(in storefront: Storefront) -> [(LocaleTag?, CandidateRequest.Order)] {
        switch self {
        case .chart(let name): [(nil, .chart(name))]
        case .rating: [(nil, .rating)]
        case .releaseDate: [(nil, .release)]
        case .title: storefront.locales.map { ($0, .title(LocaleFallback($0, in: storefront))) }
        case .rotation(let rotation): [(nil, .rotation(rotation))]
        }
    }
}

extension SectionInputs {
    fileprivate mutating func add(_ list: [Candidate], to question: CandidateQuery) {
        switch (question.subject, question.locale) {
        case (.candidates, let locale): candidates[locale] = list
        case (.headings, let locale?):
            for candidate in list { initials[locale, default: [:]][candidate.facts.id] = candidate.letter }
        case (.headings, nil): break
        }
    }
}

/// A storefront on the day that it is there.
struct StorefrontDay: Equatable {
    let storefront: Storefront
    let today: CalendarDay
    /// When the next day begins.
    let midnight: Timestamp
}

extension StorefrontDay {
    /// Those of `sequencer.storefronts` and `feeds.storefronts`.
    static func all(of result: PostgresResult) throws(PostgresError) -> [StorefrontDay] {
        let rows = try result.rows(
            as: String.self, String.self, String.self, String.self, [String].self, CalendarDay.self, Timestamp.self)
        return rows.compactMap { key, currency, timeZone, defaultLocale, locales, today, midnight in
            LocaleTag(defaultLocale).map {
                StorefrontDay(
                    storefront: Storefront(
                        key: key, currency: currency, timeZone: timeZone, locales: locales.compactMap { LocaleTag($0) }, defaultLocale: $0),
                    today: today, midnight: midnight)
            }
        }
    }
}
