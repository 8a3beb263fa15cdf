internal import Catalog
internal import Postgres
internal import Time

/// Composes sections of several feeds and storefronts, of what the catalog has at one moment. Those that stand one upon the other by
/// `inSection` are composed in rounds, each of which asks for all of its sections at once.
struct SectionRounds {
    typealias Run = (_ queries: [PostgresQuery]) async throws(PostgresError) -> [PostgresResult]

    /// A section that is to be composed.
    struct Task {
        /// In which of the feeds.
        let feed: Int
        let section: FeedSection
        let shop: OpenStorefront
        /// What it showed before, where it was arranged in the same words.
        let previous: ComposedSection?
    }

    struct Answer {
        let task: Task
        let context: RuleContext
        /// Nil where the rule takes too long, or is too large to be asked: then the section stays as it was.
        let supply: SectionSupply?
        let section: ComposedSection?
        /// When the clock changes what the section finds, with all else as it is.
        let end: Timestamp?
    }

    let rules: RuleQueries
    let ruleTime: Duration
    let moment: Timestamp
    let references: [ItemReference: UUID]
    /// How many candidates more than can be shown are asked for.
    var surplus = 0
    let run: Run

    /// `sections` are those of each feed that are composed already, and in the end all.
    func compose(_ tasks: [Task], into sections: inout [[SectionKey: ComposedSection]]) async throws -> [Answer] {
        var waiting = tasks
        var answers: [Answer] = []
        while !waiting.isEmpty {
            let later = Dictionary(grouping: waiting, by: \.feed).mapValues { Set($0.map(\.section.key)) }
            let ready = waiting.filter { later[$0.feed].map($0.section.sectionsAbove.isDisjoint) ?? true }
            // Sections name only those above them, so there is always a first.
            precondition(!ready.isEmpty, "sections wait for each other")
            waiting.removeAll { task in ready.contains { $0.feed == task.feed && $0.section.key == task.section.key } }
            let composed = try await compose(ready, sections.map { $0.mapValues(\.items) })
            for answer in composed { sections[answer.task.feed][answer.task.section.key] = answer.section }
            answers += composed
        }
        return answers
    }

    private func compose(_ tasks: [Task], _ items: [[SectionKey: Set<UUID>]]) async throws -> [Answer] {
        let contexts = tasks.map { task in
            RuleContext(storefront: task.shop.storefront, today: task.shop.today, itemsOfSections: items[task.feed])
        }
        var asked: [String: (storefront: Storefront, items: Set<UUID>)] = [:]
        for task in tasks {
            let items = Set(task.section.references.compactMap { references[$0] }).union(task.previous?.items ?? [])
            asked[task.shop.storefront.key, default: (task.shop.storefront, [])].items.formUnion(items)
        }
        let facts = try await facts(Array(asked.values))
        let found = try await candidates(tasks, contexts, facts)
        let initials = try await initials(tasks, contexts)
        return tasks.enumerated().map { place, task in
            guard let candidates = found[place] else {
                return Answer(task: task, context: contexts[place], supply: nil, section: task.previous, end: nil)
            }
            let supply = SectionSupply(
                candidates: candidates, known: facts[task.shop.storefront.key] ?? [:], initials: initials[place] ?? [:],
                references: references)
            let section = SectionComposer(task.section, supply, replacing: task.previous, contexts[place]).composed()
            return Answer(task: task, context: contexts[place], supply: supply, section: section, end: end(of: task))
        }
    }

    /// By storefront and item; without those that are not there at the moment.
    func facts(_ asked: [(storefront: Storefront, items: Set<UUID>)]) async throws(PostgresError) -> [String: [UUID: ItemFacts]] {
        let asked = asked.filter { !$0.items.isEmpty }
        if asked.isEmpty { return [:] }
        let results = try await run(
            asked.map { storefront, items in
                PostgresQuery(rules.facts, Array(items), storefront.scopes, moment, storefront.key)
            })
        var facts: [String: [UUID: ItemFacts]] = [:]
        for ((storefront, _), result) in zip(asked, results) {
            for row in try result.rows(
                as: UUID?.self, String?.self, [String]?.self, Int?.self, Int?.self, CalendarDate?.self, Int?.self, Int?.self)
            {
                if let item = ItemFacts(row) { facts[storefront.key, default: [:]][item.id] = item }
            }
        }
        return facts
    }

    /// Nil for a section whose rule takes too long.
    private func candidates(
        _ tasks: [Task], _ contexts: [RuleContext], _ facts: [String: [UUID: ItemFacts]]
    ) async throws -> [[LocaleTag?: [Candidate]]?] {
        var found: [[LocaleTag?: [Candidate]]?] = Array(repeating: [:], count: tasks.count)
        var requests: [(place: Int, locale: LocaleTag?, request: CandidateRequest)] = []
        for (place, task) in tasks.enumerated() {
            guard let rule = task.section.rule else { continue }
            guard let form = contexts[place].normalForm(of: rule) else {
                found[place] = nil
                continue
            }
            for (locale, order) in task.section.sort.orders(in: task.shop.storefront) {
                var request = CandidateRequest(
                    form, by: order, in: contexts[place], limit: task.section.limit + task.section.pins.count + surplus,
                    exclusions: task.section.exclusions.compactMap { references[$0] })
                if case .rotation = order {
                    // In the places that are left take turns those that have none; where it stands depends on how many these are.
                    let supply = SectionSupply(known: facts[task.shop.storefront.key] ?? [:], references: references)
                    let pinned = supply.pins(of: task.section).values
                    request.limit = task.section.limit - pinned.count
                    request.exclusions += pinned
                }
                requests.append((place, locale, request))
            }
        }
        for ((place, locale, _), list) in zip(requests, try await candidates(requests.map(\.request)[...])) {
            if let list { found[place]?[locale] = list } else { found[place] = nil }
        }
        return found
    }

    /// The headings of items that the rule of a grouped section may not have found: those that are pinned, or stood in it before.
    private func initials(_ tasks: [Task], _ contexts: [RuleContext]) async throws -> [Int: [LocaleTag: [UUID: String]]] {
        var requests: [(place: Int, locale: LocaleTag?, request: CandidateRequest)] = []
        for (place, task) in tasks.enumerated() where task.section.grouping == .initial {
            var context = contexts[place]
            let items = Set(task.section.pins.compactMap { references[$0.item] }).union(task.previous?.items ?? [])
            context.itemsOfSections = [task.section.key: items]
            guard !items.isEmpty, let form = context.normalForm(of: .inSection([task.section.key])) else { continue }
            for (locale, order) in task.section.sort.orders(in: task.shop.storefront) {
                requests.append((place, locale, CandidateRequest(form, by: order, in: context, limit: items.count)))
            }
        }
        var initials: [Int: [LocaleTag: [UUID: String]]] = [:]
        for ((place, locale, _), list) in zip(requests, try await candidates(requests.map(\.request)[...])) {
            guard let locale else { continue }
            for candidate in list ?? [] { initials[place, default: [:]][locale, default: [:]][candidate.facts.id] = candidate.letter }
        }
        return initials
    }

    /// All at once; where that takes too long, by halves, until those stand alone that do.
    private func candidates(_ requests: ArraySlice<CandidateRequest>) async throws -> [[Candidate]?] {
        if requests.isEmpty { return [] }
        let reader = CandidateReader(rules, at: moment, eachWithin: ruleTime, run: run)
        _ = try await run([PostgresQuery("savepoint", "SAVEPOINT rules")])
        do throws(PostgresError) {
            return try await reader.candidates(Array(requests))
        } catch {
            guard error.sqlState == .queryCanceled else { throw error }
            _ = try await run([PostgresQuery("rollback", "ROLLBACK TO SAVEPOINT rules")])
            if requests.count == 1 { return [nil] }
            let middle = requests.startIndex + requests.count / 2
            return try await candidates(requests[..<middle]) + candidates(requests[middle...])
        }
    }

    private func end(of task: Task) -> Timestamp? {
        var ends: [Timestamp] = []
        if task.section.followsTheDay { ends.append(task.shop.midnight) }
        if case .rotation(let rotation) = task.section.sort {
            switch rotation.nextStep(after: moment, on: task.shop.today) {
            case .moment(let moment): ends.append(moment)
            // Perhaps a later one, which is seen when this one begins.
            case .day: ends.append(task.shop.midnight)
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
        case .title: storefront.locales.map { ($0, .title(ShownLocales($0, in: storefront))) }
        case .rotation(let rotation): [(nil, .rotation(rotation))]
        }
    }
}
