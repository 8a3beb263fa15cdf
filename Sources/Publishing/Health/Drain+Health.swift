internal import Feeds
internal import Items
internal import JSON
internal import Layout
internal import Postgres
internal import Values

extension Drain {
    /// Finds the problems of the published feeds, and stores the findings that differ from those of the last drain. It runs
    /// after the feeds are published, because a finding is about what clients see.
    mutating func recordFindings(about composed: [Composed], isNew: Bool, _ touched: AffectedItems) async throws {
        var changed: Set<StorefrontFeed> = isNew ? Set(state.health.recorded.keys) : []
        findContent(of: composed, &changed)
        let isOtherItem = try await readOpenItems(isNew: isNew, touched)
        if isNew || isOtherItem || !changed.isEmpty || state.neglected != known.neglected { findDeadActions(&changed) }
        findSchedules(&changed)
        let different = store(changed)
        if isNew { state.health.counts = [:] }
        count(of: isNew ? Set(state.health.recorded.keys.map(\.feed)) : different)
        report.findingCounts = state.health.counts.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        report.nextTime = [report.nextTime, state.health.schedules.nextChange].compactMap(\.self).min()
    }

    /// Reads the parts of the schedules that cause findings, unless neither a change nor the clock can have changed them. With
    /// many storefronts, they are too many to read in each drain.
    mutating func readSchedules(isNew: Bool) async throws {
        let isOver = state.health.schedules.nextChange.map { $0 <= state.time } ?? false
        guard isNew || isOver || changes.changesSchedules else { return }
        let ahead = sequencer.clockAhead.wholeMicroseconds
        let results = try await session.run([
            PostgresQuery(SequencerQueries.takeovers, ahead, TakeoverAhead.notice.wholeMicroseconds),
            PostgresQuery(SequencerQueries.movedSpans, ahead),
        ])
        state.health.schedules = try FeedSchedules(takeovers: results[0], movedSpans: results[1], at: state.time)
    }

    /// Counts the findings of some feeds again. The findings of different feeds are different ones.
    private mutating func count(of feeds: Set<String>) {
        if feeds.isEmpty { return }
        let records = Dictionary(
            grouping: state.health.recorded.filter { feeds.contains($0.key.feed) }.values.flatMap(\.values), by: \.place.feed)
        for feed in feeds {
            let kinds = LiveFinding.merged(records[feed] ?? []).compactMap(\.kind)
            state.health.counts[feed] = kinds.isEmpty ? nil : Dictionary(kinds.map { ($0, 1) }, uniquingKeysWith: +)
        }
    }

    /// Returns the stored findings. Those with a code that this program does not know are replaced with all others.
    func recordedFindings() async throws -> [StorefrontFeed: [StorefrontFinding.Identity: RecordedFinding]] {
        var recorded: [StorefrontFeed: [StorefrontFinding.Identity: RecordedFinding]] = [:]
        for record in try RecordedFinding.all(in: try await session.run([PostgresQuery(SequencerQueries.findings)])[0]) {
            recorded[record.place, default: [:]][record.finding.identity] = record
        }
        return recorded
    }

    // MARK: Causes

    private mutating func findContent(of composed: [Composed], _ changed: inout Set<StorefrontFeed>) {
        for (place, findings) in state.health.findings where live[place]?.revision == nil {
            if findings.content.isEmpty, findings.actions.isEmpty { continue }
            state.health.findings[place]?.content = []
            state.health.findings[place]?.actions = []
            changed.insert(place)
        }
        for place in state.neglected {
            guard let revision = live[place]?.revision else { continue }
            state.health.findings[place, default: .init()].content = [unreadable(revision, place)].compactMap(\.self)
            changed.insert(place)
        }
        let days = state.storefronts.byKey
        for feed in composed {
            let place = feed.storefrontFeed
            changed.insert(place)
            guard let document = feed.document, let revision = feed.revision, let day = days[place.storefront] else { continue }
            let result = FeedHealth(
                of: document, revision: revision, in: day.storefront, on: state.platforms,
                sections: Set(feed.sections.map(\.key)), parts: feed.parts,
                failures: (state.retainedSections[place] ?? [:]).mapValues(\.failure), references: state.references, registry: registry
            ).result
            let continued = (state.health.recorded[place] ?? [:]).values.map(\.finding).filter { earlier in
                result.isUndecided(earlier) && !result.findings.contains { $0.identity == earlier.identity }
            }
            state.health.findings[place, default: .init()].content = result.findings + continued
        }
    }

    private func unreadable(_ revision: Int, _ place: StorefrontFeed) -> StorefrontFinding? {
        if let issue = state.sealed[place] { return .unreadableFeed(issue) }
        return state.unreadable[SequencerState.Revision(feed: place.feed, number: revision)].map { .unreadable(revision: revision, $0) }
    }

    /// Reads which items of actions are available, if that can have changed. Returns whether it has.
    private mutating func readOpenItems(isNew: Bool, _ touched: AffectedItems) async throws -> Bool {
        let items = Set(state.health.openedItems.compactMap { state.references[$0] })
        let isKnown =
            !isNew && touched.facts != nil && items == state.health.items && changes.storefronts.isEmpty
            && touched.items.isDisjoint(with: items)
        if isKnown { return false }
        let facts = items.isEmpty ? [:] : try await rounds.facts(state.storefronts.map { ($0.storefront, items) })
        let open = facts.mapValues { Set($0.keys) }
        let isOther = open != state.health.openItems || items != state.health.items
        (state.health.openItems, state.health.items) = (open, items)
        return isOther
    }

    private mutating func findDeadActions(_ changed: inout Set<StorefrontFeed>) {
        let clocks = Dictionary(state.storefronts.map { ($0.storefront.key, $0.clock) }, uniquingKeysWith: { first, _ in first })
        for (place, live) in live {
            guard let revision = live.revision, let clock = clocks[place.storefront] else { continue }
            let actions = state.health.actions[SequencerState.Revision(feed: place.feed, number: revision)] ?? []
            if actions.isEmpty, state.health.findings[place]?.actions.isEmpty ?? true { continue }
            var findings: [StorefrontFinding] = []
            for action in actions where !opensContent(action.action, in: place.storefront) {
                guard action.isFor(place.storefront, at: state.time, by: clock) else { continue }
                findings.append(action.finding(revision: revision))
            }
            guard findings != state.health.findings[place]?.actions ?? [] else { continue }
            state.health.findings[place, default: .init()].actions = findings
            changed.insert(place)
        }
    }

    /// Whether clients of a storefront can open the item, the feed or the list of an action now.
    private func opensContent(_ action: Action, in storefront: String) -> Bool {
        switch action {
        case .item(let item):
            guard let id = state.references[item] else { return false }
            return state.health.openItems[storefront]?.contains(id) ?? false
        case .feed(let key), .story(let key): return isPublished(key, in: storefront)
        case .list(let feed, let section):
            let place = StorefrontFeed(storefront: storefront, feed: feed.text)
            return state.sealed[place] != nil || state.published[place]?.parts[.list(section)] != nil
        case .search, .url: return true
        }
    }

    private func isPublished(_ feed: FeedKey, in storefront: String) -> Bool {
        let place = StorefrontFeed(storefront: storefront, feed: feed.text)
        return state.sealed[place] != nil || state.published[place]?.revision != nil
    }

    private mutating func findSchedules(_ changed: inout Set<StorefrontFeed>) {
        let schedules = state.health.schedules
        let places = schedules.places.union(state.health.findings.filter { !$0.value.schedule.isEmpty }.keys)
        for place in places {
            let findings = schedules.findings(of: place, at: state.time)
            guard findings != state.health.findings[place]?.schedule ?? [] else { continue }
            state.health.findings[place, default: .init()].schedule = findings
            changed.insert(place)
        }
    }

    // MARK: Differences

    /// Stores the findings of some feeds, and returns the feeds of which any differed. A finding keeps its time while it lasts,
    /// also if it spreads to another platform, and one that spreads to another storefront has the same time there.
    private mutating func store(_ changed: Set<StorefrontFeed>) -> Set<String> {
        var removed: [RecordedFinding] = []
        var added: [RecordedFinding] = []
        var replaced: [RecordedFinding] = []
        var spread: [RecordedFinding] = []
        var starts: FindingStarts?
        for place in changed.sorted(by: { ($0.feed, $0.storefront) < ($1.feed, $1.storefront) }) {
            let before = state.health.recorded[place] ?? [:]
            let found = state.health.findings[place]?.all ?? []
            let now = Dictionary(found.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
            removed += before.filter { now[$0.key] == nil }.values
            for (identity, finding) in now {
                if let record = before[identity] {
                    if record.finding == finding { continue }
                    replaced.append(RecordedFinding(finding, in: place, since: record.since))
                    if finding.concernsOtherPlatforms(than: record.finding) {
                        spread.append(RecordedFinding(finding, in: place, since: record.since))
                    }
                } else {
                    if starts?.feed != place.feed {
                        let records = state.storefronts.compactMap { day in
                            state.health.recorded[StorefrontFeed(storefront: day.storefront.key, feed: place.feed)]?.values
                        }
                        starts = FindingStarts(of: place.feed, Array(records.joined()))
                    }
                    added.append(RecordedFinding(finding, in: place, since: starts?.start(of: finding) ?? state.time))
                }
            }
            if found.isEmpty { state.health.findings[place] = nil }
        }
        for record in removed { state.health.recorded[record.place]?[record.finding.identity] = nil }
        for record in added + replaced { state.health.recorded[record.place, default: [:]][record.finding.identity] = record }
        for place in changed where state.health.recorded[place]?.isEmpty == true { state.health.recorded[place] = nil }
        report.startedFindings = LiveFinding.merged(added + spread)
        report.endedFindings = LiveFinding.merged(removed)
        for records in removed.chunks(of: 5_000) { closing.append(.removing(Array(records))) }
        for records in (added + replaced).chunks(of: 5_000) { closing.append(.putting(Array(records))) }
        return Set((removed + added + replaced).map(\.place.feed))
    }
}

/// The times since which a feed has its findings in any storefront.
private struct FindingStarts {
    let feed: String
    /// The earliest record of each finding. The findings of an identity differ by their texts, so they are few.
    private var earliest: [StorefrontFinding.Identity: [RecordedFinding]] = [:]

    init(of feed: String, _ records: [RecordedFinding]) {
        self.feed = feed
        for record in records {
            var list = earliest[record.finding.identity] ?? []
            if let index = list.firstIndex(where: { $0.finding == record.finding }) {
                if record.since < list[index].since { list[index] = record }
            } else {
                list.append(record)
            }
            earliest[record.finding.identity] = list
        }
    }

    /// Returns the time since which any storefront has the finding, or nil if none has it.
    func start(of finding: StorefrontFinding) -> Timestamp? {
        earliest[finding.identity]?.first { $0.finding == finding }?.since
    }
}

extension RetainedSectionCause {
    fileprivate var failure: FeedHealth.PartFailure {
        switch self {
        case .insufficientItems(let reason): .insufficientItems(reason)
        case .timeout: .timeout
        case .skipped: .skipped
        }
    }
}

extension RecordedFinding {
    /// Returns the findings of a query, each in one storefront.
    static func all(in result: PostgresResult) throws(PostgresError) -> [RecordedFinding] {
        let rows = try result.rows(
            as: String.self, String.self, String.self, String.self, String.self, String?.self, Int32?.self, [String].self, String.self,
            String.self, String.self, Timestamp.self)
        return rows.map { feed, storefront, code, subject, severity, section, revision, platforms, pointer, message, help, since in
            RecordedFinding(
                StorefrontFinding(
                    identity: .init(code, subject), severity: Finding.Severity(rawValue: severity) ?? .warning,
                    revision: revision.map(Int.init), section: section, platforms: platforms, pointer: JSONPointer(pointer) ?? .root,
                    message: message, help: help), in: StorefrontFeed(storefront: storefront, feed: feed), since: since)
        }
    }
}

extension PostgresQuery {
    fileprivate static func removing(_ records: [RecordedFinding]) -> PostgresQuery {
        PostgresQuery(
            SequencerQueries.removeFindings, records.map(\.place.feed), records.map(\.finding.identity.code),
            records.map(\.finding.identity.subject), records.map(\.place.storefront))
    }

    fileprivate static func putting(_ records: [RecordedFinding]) -> PostgresQuery {
        PostgresQuery(
            SequencerQueries.putFindings, records.map(\.place.feed), records.map(\.finding.identity.code),
            records.map(\.finding.identity.subject), records.map(\.place.storefront), records.map(\.finding.severity.rawValue),
            records.map(\.finding.section), records.map { $0.finding.revision.map { Int32(clamping: $0) } },
            records.map { $0.finding.platforms.joined(separator: " ") }, records.map(\.finding.pointer.description),
            records.map(\.finding.message), records.map(\.finding.help), records.map(\.since))
    }
}
