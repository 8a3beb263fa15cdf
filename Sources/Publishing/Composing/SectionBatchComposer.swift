internal import Catalog
internal import Feeds
internal import Items
internal import Postgres
internal import Values

/// Composes shelves and lists of several feeds and storefronts from the catalog at one time. Those that depend on shelves
/// through `inSection` are composed in rounds. Each round queries all of its tasks together.
struct SectionBatchComposer {
    struct Task {
        /// The way in which the rule runs, by its earlier duration.
        enum Attempt { case withOthers, alone, notNow }

        /// The index of the feed.
        let feed: Int
        let section: FeedSection
        let part: SectionPart
        let selection: ItemSelection
        let day: StorefrontDay
        /// The previous items, if the document selected the same ones.
        let previous: ComposedItems?
        /// The sections on whose items the selection depends.
        let above: Set<SectionKey>
        var attempt = Attempt.withOthers
    }

    struct Outcome {
        let task: Task
        let context: RuleContext
        let inputs: SelectionInputs?
        let items: ComposedItems?
        let ruleFailure: RuleFailure?
        /// The time at which the clock changes the items, if nothing else does.
        let end: Timestamp?
    }

    let ruleTime: Duration
    let time: Timestamp
    let references: [ItemReference: UUID]
    /// The platforms of clients.
    var platforms = ClientPlatforms()
    /// The number of candidates to read in addition to those that a shelf or a list can have.
    var surplus = 0
    /// The number of rules that can exceed their time limit before the other rules are deferred.
    var maxSlow = Int.max
    /// The time limit of all rules, after which the other rules are deferred.
    var timeForRules: Duration
    /// Whether a round trip has only as many rules as the rest of the budget allows, so that at most one rule exceeds
    /// it. A drain prefers fewer round trips to the exact limit.
    var endsInTime = false
    let session: PostgresSession

    /// Composes the tasks of some documents. `parts` has the composed shelves and lists of each, and at the end all of them.
    func compose(
        _ tasks: [Task], of documents: [FeedDocument?], into parts: inout [[SectionPart: ComposedItems]]
    ) async throws -> [Outcome] {
        var waiting = tasks
        var timeout = RuleTimeBudget(for: maxSlow, each: ruleTime, within: timeForRules)
        var outcomes: [Outcome] = []
        while !waiting.isEmpty {
            let later = waiting.reduce(into: [Int: Set<SectionKey>]()) { later, task in
                if case .shelf(let key) = task.part { later[task.feed, default: []].insert(key) }
            }
            let ready = waiting.filter { later[$0.feed].map($0.above.isDisjoint) ?? true }
            // Sections refer only to sections above them, so at least one is always ready.
            precondition(!ready.isEmpty, "sections wait for each other")
            waiting.removeAll { later[$0.feed].map($0.above.isDisjoint) ?? true }
            for outcome in try await compose(ready, visibleItems(for: ready, of: documents, parts), &timeout) {
                parts[outcome.task.feed][outcome.task.part] = outcome.items
                outcomes.append(outcome)
            }
        }
        return outcomes
    }

    /// Returns the items of the sections above, by the feed of each task that depends on them.
    private func visibleItems(
        for tasks: [Task], of documents: [FeedDocument?], _ parts: [[SectionPart: ComposedItems]]
    ) -> [Int: [SectionKey: Set<UUID>]] {
        tasks.reduce(into: [:]) { items, task in
            guard !task.above.isEmpty, items[task.feed] == nil else { return }
            items[task.feed] = documents[task.feed]?.visibleItems(parts[task.feed], in: task.day.storefront, on: platforms)
        }
    }

    private func compose(
        _ tasks: [Task], _ items: [Int: [SectionKey: Set<UUID>]], _ timeout: inout RuleTimeBudget
    ) async throws -> [Outcome] {
        let foldedNames = try await foldedNames(of: tasks)
        let contexts = tasks.map { task in
            var context = RuleContext(storefront: task.day.storefront, today: task.day.today, itemsOfSections: items[task.feed] ?? [:])
            context.foldedNames = foldedNames
            return context
        }
        let named = Self.items(of: tasks) { $0.selection.references.compactMap { references[$0] } }
        var facts = try await facts(Array(named.values))
        var (queries, failures) = queries(of: tasks, contexts, facts)
        queries += headings(of: tasks, contexts).filter { $0.tasks.allSatisfy { failures[$0] == nil } }
        let replies = try await replies(to: queries, of: tasks, &timeout)
        try await addPreviousItems(of: tasks, replies.lists, of: queries, to: &facts)
        failures.merge(replies.failures) { first, _ in first }
        var inputs = tasks.map { task in
            var inputs = SelectionInputs(known: facts[task.day.storefront.key] ?? [:], references: references)
            inputs.platforms = platforms
            return inputs
        }
        for (query, list) in zip(queries, replies.lists) {
            for task in query.tasks { inputs[task].add(list, to: query, of: task) }
        }
        var outcomes: [Outcome] = []
        for (index, task) in tasks.enumerated() {
            if let ruleFailure = failures[index] {
                let known = inputs[index].known
                let left = task.previous.map { previous in
                    task.selection.eligibility == .platform ? previous.keeping(known, on: platforms) : previous.keeping(known)
                }
                outcomes.append(
                    Outcome(task: task, context: contexts[index], inputs: nil, items: left, ruleFailure: ruleFailure, end: nil))
                continue
            }
            // The shelf of a list precedes it, if both depend on the same sections.
            let shelf = outcomes.last.flatMap { $0.task.isPart(of: task.section, of: task.feed) ? $0.items : nil }
            let items = ItemComposer(task.selection, inputs[index], replacing: task.previous, of: shelf, contexts[index]).composed()
            outcomes.append(
                Outcome(task: task, context: contexts[index], inputs: inputs[index], items: items, ruleFailure: nil, end: end(of: task)))
        }
        return outcomes
    }

    /// Returns some items of each task, by storefront.
    private static func items(
        of tasks: [Task], _ items: (Task) -> some Sequence<UUID>
    ) -> [String: (storefront: Storefront, items: Set<UUID>)] {
        var all: [String: (storefront: Storefront, items: Set<UUID>)] = [:]
        for task in tasks { all[task.day.storefront.key, default: (task.day.storefront, [])].items.formUnion(items(task)) }
        return all
    }

    /// Adds the facts of the previous items. Those of the items that a rule has found are known, which are usually all of them.
    private func addPreviousItems(
        of tasks: [Task], _ lists: [FoundCandidates], of queries: [CandidateQuery], to facts: inout [String: [UUID: ItemFacts]]
    ) async throws(PostgresError) {
        var previous = Self.items(of: tasks) { $0.previous?.items ?? [] }
        for (key, known) in facts { previous[key]?.items.subtract(known.keys) }
        for (query, list) in zip(queries, lists) {
            let key = query.request.storefront.key
            for candidate in list.all where previous[key]?.items.remove(candidate.facts.id) != nil {
                facts[key, default: [:]][candidate.facts.id] = candidate.facts
            }
        }
        for (key, read) in try await self.facts(Array(previous.values)) { facts[key, default: [:]].merge(read) { first, _ in first } }
    }

    /// Returns the folded form of each name in a rule that only the database can fold.
    private func foldedNames(of tasks: [Task]) async throws(PostgresError) -> [String: String] {
        let names = tasks.reduce(into: Set<String>()) { names, task in
            for rule in task.selection.rules { names.formUnion(rule.namesToFold) }
        }
        if names.isEmpty { return [:] }
        let rows = try await session.rows(of: PostgresQuery(RuleQueries.foldedNames, names.sorted()), as: String.self, String.self)
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the facts by storefront and item, without unavailable items.
    func facts(
        _ requested: [(storefront: Storefront, items: Set<UUID>)]
    ) async throws(PostgresError) -> [String: [UUID: ItemFacts]] {
        let requested = requested.filter { !$0.items.isEmpty }
        if requested.isEmpty { return [:] }
        var facts: [String: [UUID: ItemFacts]] = [:]
        for ((storefront, _), result) in zip(requested, try await session.run(factQueries(requested))) {
            for item in try Self.facts(in: result) { facts[storefront.key, default: [:]][item.id] = item }
        }
        return facts
    }

    /// Returns a query for the facts of the items in each storefront.
    func factQueries(_ requested: [(storefront: Storefront, items: Set<UUID>)]) -> [PostgresQuery] {
        requested.map { storefront, items in
            PostgresQuery(RuleQueries.facts, Array(items), storefront.scopes, time, storefront.key)
        }
    }

    /// Returns the facts of a result of `rules.facts`.
    static func facts(in result: PostgresResult) throws(PostgresError) -> [ItemFacts] {
        var facts: [ItemFacts] = []
        for row in try result.rows(ofColumns: 9) {
            if let item = try ItemFacts(row) { facts.append(item) }
        }
        return facts
    }

    /// Returns the facts of items at other times, by storefront and position, whether or not the items are then available.
    /// Omits items that are never available.
    func facts(
        at requested: [(storefront: Storefront, items: [(id: UUID, time: Timestamp)])]
    ) async throws(PostgresError) -> [String: [Int: ItemFacts]] {
        let requested = requested.filter { !$0.items.isEmpty }
        if requested.isEmpty { return [:] }
        let results = try await session.run(
            requested.map { storefront, items in
                PostgresQuery(RuleQueries.factsAt, items.map(\.id), storefront.scopes, items.map(\.time), storefront.key)
            })
        var facts: [String: [Int: ItemFacts]] = [:]
        for ((storefront, _), result) in zip(requested, results) {
            for row in try result.rows(ofColumns: 10) {
                guard let item = try ItemFacts(row) else { continue }
                facts[storefront.key, default: [:]][Int(try row.value(at: 9, as: Int32.self)) - 1] = item
            }
        }
        return facts
    }

    /// Returns the queries of the rules. Rules that are not run have a failure, by their index.
    private func queries(
        of tasks: [Task], _ contexts: [RuleContext], _ facts: [String: [UUID: ItemFacts]]
    ) -> (queries: [CandidateQuery], failures: [Int: RuleFailure]) {
        var queries: [CandidateQuery] = []
        var others: [SharedRule: [Int]] = [:]
        var failures: [Int: RuleFailure] = [:]
        for (index, task) in tasks.enumerated() {
            guard let rule = task.selection.rule else { continue }
            guard let form = contexts[index].normalForm(of: rule) else {
                failures[index] = .tooLarge
                continue
            }
            guard task.attempt != .notNow else {
                failures[index] = .skipped
                continue
            }
            let selection = task.selection
            // A rotation fills the slots without pins with the other items. Its step depends on their number.
            let key = task.day.storefront.key
            let known = facts[key] ?? [:]
            let pins = SelectionInputs(known: known, references: references).pins(of: selection, in: key).filter { $0.target == nil }
            for (locale, order) in selection.sort.orders(in: task.day.storefront, slots: selection.size - pins.count) {
                var request = CandidateRequest(
                    form, by: order, in: contexts[index], limit: selection.size + selection.itemsAbove + selection.pins.count + surplus,
                    exclusions: selection.exclusions.compactMap { references[$0] })
                if case .rotation = order {
                    request.limit = selection.reach(with: pins)
                    request.exclusions += pins.compactMap(\.item)
                }
                if selection.eligibility == .platform { request.platforms = parts(of: request, selection, below: pins, known) }
                let query = CandidateQuery(.candidates, of: index, in: locale, request)
                let rule = SharedRule(feed: task.feed, locale: locale, form: form)
                let isShared = others[rule, default: []].contains { other in
                    queries[other].tasks.allSatisfy { task.canShare(with: tasks[$0]) } && queries[other].share(with: query)
                }
                if isShared { continue }
                others[rule, default: []].append(queries.count)
                queries.append(query)
            }
        }
        return (queries, failures)
    }

    /// Returns the parts of a request for the clients of each platform. A rotation turns on every platform.
    private func parts(
        of request: CandidateRequest, _ selection: ItemSelection, below pins: [ComposedItems.Pin], _ known: [UUID: ItemFacts]
    ) -> [String: CandidateRequest.PlatformPart] {
        guard case .rotation = request.order else {
            return Dictionary(uniqueKeysWithValues: platforms.served.map { ($0, .init(limit: request.limit)) })
        }
        return Dictionary(
            uniqueKeysWithValues: platforms.all.map { platform in
                let visible = pins.filter { $0.item.flatMap { known[$0] }?.runs(on: platform) ?? true }
                return (
                    platform,
                    .init(
                        limit: selection.reach(with: visible), step: selection.size - visible.count,
                        isServed: platforms.served.contains(platform))
                )
            })
    }

    /// Returns the queries for headings of items that the rule of grouped items can have missed: pinned items, and the
    /// previous items.
    private func headings(of tasks: [Task], _ contexts: [RuleContext]) -> [CandidateQuery] {
        var queries: [CandidateQuery] = []
        for (index, task) in tasks.enumerated() where task.selection.grouping == .initial {
            var context = contexts[index]
            let items = Set(task.selection.pins.compactMap { $0.item.flatMap { references[$0] } }).union(task.previous?.items ?? [])
            context.itemsOfSections = [task.section.key: items]
            guard !items.isEmpty, let form = context.normalForm(of: .inSection([task.section.key])) else { continue }
            for (locale, order) in task.selection.sort.orders(in: task.day.storefront, slots: 0) {
                let request = CandidateRequest(form, by: order, in: context, limit: items.count)
                queries.append(CandidateQuery(.headings, of: index, in: locale, request))
            }
        }
        return queries
    }

    private func end(of task: Task) -> Timestamp? {
        var ends: [Timestamp] = []
        if task.selection.followsTheDay { ends.append(task.day.midnight) }
        if case .rotation(let rotation) = task.selection.sort {
            switch rotation.nextStep(after: time, on: task.day.today) {
            case .time(let time): ends.append(time)
            // The step can be later on that day. It is computed again when the day begins.
            case .day: ends.append(task.day.midnight)
            }
        }
        return ends.min()
    }
}

extension SectionBatchComposer.Task {
    func isPart(of section: FeedSection, of feed: Int) -> Bool { self.feed == feed && self.section.key == section.key }

    /// Whether the rules of two tasks of a feed can run as one. A section whose rule is slow does not delay other sections, and
    /// neither does its list, which can have many more items than their shelves.
    func canShare(with other: Self) -> Bool {
        section.key == other.section.key
            || part.isShelf == other.part.isShelf && attempt == .withOthers && other.attempt == .withOthers
    }

    /// Returns a task for the shelf of a section, and one for its list. `previous` returns the previous items.
    static func all(
        _ section: FeedSection, of document: FeedDocument, at feed: Int, on day: StorefrontDay, previous: (SectionPart) -> ComposedItems?,
        attempt: (SectionPart, ItemSelection) -> Attempt = { _, _ in .withOthers }
    ) -> [Self] {
        section.parts.map { part, selection in
            Self(
                feed: feed, section: section, part: part, selection: selection, day: day, previous: previous(part),
                above: document.sectionsAbove(selection), attempt: attempt(part, selection))
        }
    }
}

extension Sort {
    /// Returns one order, or one for each locale of the storefront. A step of a rotation fills the slots.
    fileprivate func orders(in storefront: Storefront, slots: Int) -> [(LocaleTag?, CandidateRequest.Order)] {
        switch self {
        case .chart(let name): [(nil, .chart(name))]
        case .rating: [(nil, .rating)]
        case .releaseDate: [(nil, .release)]
        case .title: storefront.locales.map { ($0, .title(LocaleFallback($0, in: storefront))) }
        case .rotation(let rotation): [(nil, .rotation(rotation, by: slots))]
        }
    }
}

extension SelectionInputs {
    fileprivate mutating func add(_ list: FoundCandidates, to query: CandidateQuery, of task: Int) {
        switch (query.subject, query.locale) {
        case (.candidates, let locale):
            candidates[locale] = query.items(of: list, for: task)
            platformCandidates = list.byPlatform
        case (.headings, let locale?):
            for candidate in list.items { initials[locale, default: [:]][candidate.facts.id] = candidate.letter }
        case (.headings, nil): break
        }
    }
}

/// A storefront on the day that it has at the time.
struct StorefrontDay: Equatable {
    let storefront: Storefront
    let today: CalendarDay
    /// The time at which the next day begins.
    let midnight: Timestamp
    /// The wall-clock times of documents in the storefront's zone.
    var clock = LocalClock()
}

extension [StorefrontDay] {
    /// The storefronts by key.
    var byKey: [String: StorefrontDay] { Dictionary(map { ($0.storefront.key, $0) }, uniquingKeysWith: { first, _ in first }) }
}

extension StorefrontDay {
    /// Returns the storefronts of a result of `sequencer.storefronts` or `feeds.storefronts`.
    static func all(of result: PostgresResult) throws(PostgresError) -> [StorefrontDay] {
        let rows = try result.rows(
            as: String.self, String.self, String.self, String.self, [String].self, String.self, JSONBytes.self, CalendarDay.self,
            Timestamp.self)
        var days: [StorefrontDay] = []
        for (key, currency, timeZone, defaultLocale, locales, ratingScheme, ratingSchemes, today, midnight) in rows {
            guard let defaultLocale = LocaleTag(defaultLocale) else { continue }
            let storefront = Storefront(
                key: key, currency: currency, timeZone: timeZone, locales: locales.compactMap { LocaleTag($0) },
                defaultLocale: defaultLocale, ratingScheme: ratingScheme, ratingSchemes: try ratingSchemes.decoded(query: result.query))
            days.append(StorefrontDay(storefront: storefront, today: today, midnight: midnight))
        }
        return days
    }
}

extension ClientPlatforms {
    /// Creates the platforms of a result of `catalog.platforms`.
    init(_ result: PostgresResult) throws(PostgresError) {
        let rows = try result.rows(as: String.self, Bool.self)
        self.init(all: rows.map(\.0), served: rows.filter(\.1).map(\.0))
    }
}
