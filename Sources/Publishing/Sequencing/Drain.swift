internal import Feeds
internal import Items
internal import JSON
internal import Postgres
internal import Values

/// One drain, which reads, composes and publishes in a transaction that the caller has started.
struct Drain {
    struct LiveSpan {
        /// The live publication, or nil if none has started.
        let publication: Int?
        /// The live revision, or nil if no publication has started.
        let revision: Int?
        /// The time of the next scheduled change.
        let until: Timestamp?
    }

    struct InvariantViolation {
        let key: PublishedEntry.Key
        let storefrontFeed: StorefrontFeed
        let item: UUID?
    }

    let sequencer: Sequencer
    /// The session, which is in a transaction.
    let session: PostgresSession
    private let before: SequencerState?
    /// The state at the end of the last drain, or as it was read.
    var known: SequencerState
    var state: SequencerState
    var report = Sequencer.Report()
    var changes = OutboxChanges()
    var share = OutboxShare(of: [], OutboxShare.Limits(edits: 0, imports: 0), .few)
    /// Whether the share has too many items to keep in memory. They are then read while they are published.
    private(set) var isLarge = false
    /// Whether the published versions are one committed state of the catalog.
    private(set) var wasComplete = true
    /// The number of due sections that the last drain left.
    private(set) var publishedDue = 0
    var live: [StorefrontFeed: LiveSpan] { state.live }
    /// The experiments and the holdout.
    var registry = ExperimentRegistry()
    var dirty = DirtySections()
    /// The sections that ended the sessions of earlier sequencers.
    var failed: FailedSections
    /// Whether an error of the database now is one of the sections that this drain composes.
    var isAtSections = false
    /// The published documents that do not match their hash. A layout has no feed.
    private(set) var broken: [InvariantViolation] = []
    /// The last queries, which run in the round trip of the commit.
    var closing: [PostgresQuery] = []

    init(_ sequencer: Sequencer, _ before: SequencerState?, _ session: PostgresSession) {
        self.sequencer = sequencer
        self.before = before
        self.session = session
        failed = sequencer.failed
        known = before ?? SequencerState(head: 0, time: .epoch)
        state = known
    }

    mutating func run(_ opened: [PostgresResult]) async throws -> (SequencerState, Sequencer.Report) {
        let isNew = try await start(opened)
        try await readDocuments()
        try await readClocks()
        try await readFoldedNames()
        let touched = try await readTouched(isNew: isNew)
        markDirty(isNew: isNew, touched)
        report.isComplete = share.isComplete
        report.dueSections = share.leftDue
        try await readAvailability(isNew: isNew, touched)
        isAtSections = true
        let composed = try await compose()
        isAtSections = false
        try await publish(composed, crossing: touched.crossing)
        try await readSchedules(isNew: isNew)
        try await recordFindings(about: composed, isNew: isNew, touched)
        let retainedSections = state.retainedSections.values.flatMap(\.bySection.values)
        report.slowSections = retainedSections.count { $0.slowness != nil }
        report.waitingSections = retainedSections.count { $0.isWaiting }
        report.retainedSections = retainedSections.count - report.slowSections - report.waitingSections
        report.unreadable = state.unreadable.count + state.sealed.count
        report.notices += failed.noteSuccess(of: dirty.dirtySections)
        report.failedSections = failed.failures.count
        if let next = failed.nextAttempt { report.nextTime = min(report.nextTime ?? next, next) }
        if share.leftDue > 0 { report.nextTime = .earliest }
        return (state, report)
    }

    /// The queries that begin a drain. They lock the head, and read everything that no other result decides about.
    static func openingQueries(of sequencer: Sequencer, due: DueSections.Turn = .none) -> [PostgresQuery] {
        let ahead = sequencer.clockAhead.wholeMicroseconds
        // The query takes both lanes, so after a failure it takes nothing.
        let maxFew = sequencer.turn.isAfterFailure || due == .alone ? -1 : min(sequencer.limits.edits, sequencer.maxTraced)
        return [
            PostgresQuery(SequencerQueries.waitForHead),
            PostgresQuery(SequencerQueries.readHead, ahead), PostgresQuery(SequencerQueries.waiting),
            PostgresQuery(SequencerQueries.storefronts, ahead),
            // A database can be restored while a session continues to use it.
            PostgresQuery(SequencerQueries.beginEpoch), PostgresQuery(RuleQueries.platforms),
            PostgresQuery(SequencerQueries.removeFewChanges, maxFew, sequencer.limits.imports),
        ] + ExperimentStore.registryQueries
    }

    /// Reads the results of the opening queries, and chooses a share of the outbox. Returns true if the published state is
    /// unknown, or another sequencer has published since.
    private mutating func start(_ opened: [PostgresResult]) async throws -> Bool {
        let results = Array(opened.dropFirst())
        guard
            let (head, time, publishedTime, isComplete, due) = try results[0].rows(
                as: Int.self, Timestamp.self, Timestamp.self, Bool.self, Int.self
            ).first
        else { throw PostgresError(.undecodable, "the sync head is missing", query: SequencerQueries.readHead.name.description) }
        (wasComplete, publishedDue) = (isComplete, due)
        let waiting = try results[1].rows(as: String.self, Int.self, Bool.self).map {
            OutboxShare.Waiting(transaction: $0, changes: $1, isImport: $2)
        }
        let share = OutboxShare(of: waiting, sequencer.limits, sequencer.turn, due: before?.due.turn ?? .none)
        try await process(share, few: results[5])
        registry = try ExperimentStore.registry(in: Array(results[6...]))
        let isOtherHistory = try results[3].rows(as: Bool.self).first ?? true
        // Another sequencer that has left due sections has set the time, even if it has published nothing.
        let isKnown = before.map { $0.head == head && $0.publishedTime == publishedTime } ?? false
        let isNew = !isKnown || isOtherHistory || changes.republishesParts
        if isNew {
            known = try await published(head, in: nil)
            known.layouts.subtract(changes.republishedLayouts)
            // Another sequencer does not change which rules were too slow.
            known.retainedSections = before?.retainedSections ?? [:]
            known.health.recorded = try await recordedFindings()
            known.publishedStorefronts = try await publishedStorefronts()
        }
        state = known
        state.time = time
        state.publishedTime = publishedTime
        state.storefronts = try StorefrontDay.all(of: results[2])
        state.platforms = try ClientPlatforms(results[4])
        try await readLive(isNew: isNew)
        return isNew
    }

    /// Reads the live revisions, unless neither a change nor the clock can have changed them. With many storefronts, they are too
    /// many to read in each drain.
    private mutating func readLive(isNew: Bool) async throws {
        let isOver = state.live.values.contains { $0.until.map { $0 <= state.time } ?? false }
        guard isNew || isOver || state.time < known.time || changes.changesSchedules else { return }
        let query = PostgresQuery(SequencerQueries.liveRevisions, sequencer.clockAhead.wholeMicroseconds)
        try readLive(in: try await session.run([query])[0])
    }

    /// Reads the live revisions from the result of their query.
    mutating func readLive(in result: PostgresResult) throws(PostgresError) {
        state.live = [:]
        for (feed, storefront, publication, revision, until) in try result.rows(
            as: String.self, String.self, Int?.self, Int32?.self, Timestamp?.self)
        {
            state.live[StorefrontFeed(storefront: storefront, feed: feed)] = LiveSpan(
                publication: publication, revision: revision.map(Int.init), until: until)
        }
    }

    /// Takes the changes of the share. They are in the result `few` if they are all and not many, and otherwise it is empty.
    private mutating func process(_ share: OutboxShare, few: PostgresResult) async throws {
        self.share = share
        report.waiting = share.left
        if share.changes == 0 { return }
        isLarge = share.changes > sequencer.maxTraced
        var rows = try few.rows(as: String.self, [UUID].self, [String].self, Bool.self)
        if rows.isEmpty {
            let result = try await session.run(PostgresQuery(SequencerQueries.removeChanges, share.transactions, isLarge))
            rows = try result.rows(as: String.self, [UUID].self, [String].self, Bool.self)
        }
        changes = OutboxChanges(rows.map { (kind: $0, ids: $1, keys: $2, isImport: $3) })
        report.changes = changes.count
    }

    /// Returns the state that another sequencer has published, or this one before a restart, in one storefront or in
    /// all. Damaged documents count as missing and are therefore written again.
    mutating func published(_ head: Int, in storefront: String?) async throws -> SequencerState {
        var state = SequencerState(head: head, time: .epoch)
        var documents: [StorefrontFeed: [PublishedEntry.Key: [UInt8]]] = [:]
        var ends: [StorefrontFeed: Timestamp] = [:]
        let rows = try await session.rows(
            of: PostgresQuery(SequencerQueries.shown, storefront), as: String.self, String.self, String.self, String?.self, UUID?.self,
            JSONBytes.self, Timestamp?.self, Bool.self)
        for (kind, id, storefront, name, item, document, validUntil, isWhole) in rows {
            guard let kind = PublishedKind(rawValue: kind) else { continue }
            let feed = name.map(StoredFeedName.feed)
            let key = PublishedEntry.Key(kind, id)
            let named = PublishedFeedState.item(of: key, document.bytes)
            guard isWhole, named == nil || named == item else {
                let storefrontFeed = StorefrontFeed(storefront: storefront, feed: feed ?? "")
                broken.append(InvariantViolation(key: key, storefrontFeed: storefrontFeed, item: item))
                continue
            }
            if let feed {
                let storefrontFeed = StorefrontFeed(storefront: storefront, feed: feed)
                documents[storefrontFeed, default: [:]][key] = document.bytes
                if kind == .feed { ends[storefrontFeed] = validUntil }
            } else {
                state.layouts.insert(id)
            }
        }
        for (storefrontFeed, documents) in documents {
            do throws(JSONError) {
                state.published[storefrontFeed] = try PublishedFeedState(reading: documents)
            } catch {
                state.sealed[storefrontFeed] = error.description
            }
        }
        for (storefrontFeed, end) in ends { state.published[storefrontFeed]?.validUntil = end }
        return state
    }

    /// Reads the documents of the revisions that are live or become live.
    mutating func readDocuments() async throws {
        var requested = Set(
            live.compactMap { storefrontFeed, live in
                live.revision.map { SequencerState.Revision(feed: storefrontFeed.feed, number: $0) }
            })
        requested.formUnion(
            state.published.compactMap { storefrontFeed, published in
                published.revision.map { SequencerState.Revision(feed: storefrontFeed.feed, number: $0) }
            })
        state.documents = state.documents.filter { requested.contains($0.key) }
        state.unreadable = state.unreadable.filter { requested.contains($0.key) }
        state.health.actions = state.health.actions.filter { requested.contains($0.key) }
        let missing = requested.filter { state.documents[$0] == nil && state.unreadable[$0] == nil }
        guard !missing.isEmpty else { return }
        let query = PostgresQuery(SequencerQueries.revisionDocuments, missing.map(\.feed), missing.map { Int32(clamping: $0.number) })
        for (feed, number, text) in try await session.rows(of: query, as: String.self, Int32.self, String.self) {
            let revision = SequencerState.Revision(feed: feed, number: Int(number))
            do throws(JSONError) {
                let document = try FeedDocument(parsing: Array(text.utf8), limits: .feed)
                state.documents[revision] = document
                state.health.actions[revision] = document.pinActions
            } catch {
                state.unreadable[revision] = error.description
            }
        }
    }
}

extension Drain {
    /// Reads the instants of the wall-clock times in the documents, unless they are known.
    mutating func readClocks() async throws {
        var times: Set<PlannedTime> = []
        for document in state.documents.values { times.formUnion(document.wallClocks) }
        if !state.clocks.have(times, in: state.storefronts) {
            state.clocks = try LocalClocks(times, of: try await session.run([LocalClocks.query(times)])[0])
        }
        let clocks = state.clocks
        clocks.set(in: &state.storefronts)
    }

    /// Reads the folded forms of the names in the documents that only the database can fold, unless they are known.
    mutating func readFoldedNames() async throws {
        var names: Set<String> = []
        for document in state.documents.values {
            for (_, selection) in document.sections.flatMap(\.parts) { names.formUnion(selection.rule?.namesToFold ?? []) }
        }
        state.foldedNames = state.foldedNames.filter { names.contains($0.key) }
        let missing = names.subtracting(state.foldedNames.keys).sorted()
        if missing.isEmpty { return }
        for (name, folded) in try await session.rows(of: PostgresQuery(RuleQueries.foldedNames, missing), as: String.self, String.self) {
            state.foldedNames[name] = folded
        }
    }

    /// Returns the next time at which a section of the feed starts or ends to exist. A feed that this program cannot read does
    /// not change.
    func nextSwitch(in storefrontFeed: StorefrontFeed, on day: StorefrontDay) -> Timestamp? {
        guard !state.neglected.contains(storefrontFeed),
            let document = state.document(of: state.published[storefrontFeed]?.revision, storefrontFeed.feed)
        else { return nil }
        return document.nextSwitch(in: storefrontFeed.storefront, after: state.time, by: day.clock)
    }
}

extension Drain {
    /// Reads the next changes of availability and prices in the storefronts in which a changed item affects them. If they are
    /// unknown, reads them in all storefronts.
    mutating func readAvailability(isNew: Bool, _ touched: AffectedItems) async throws {
        let open = Set(state.storefronts.map(\.storefront.key))
        state.availability = state.availability.filter { open.contains($0.key) }
        // After the clock has moved back, changes that were over come again.
        let isKnown =
            !isNew && state.time >= known.time && touched.facts != nil
            && state.storefronts.allSatisfy { state.availability[$0.storefront.key] != nil }
        let affected = isKnown ? storefronts(boundBy: touched) : nil
        let days = state.storefronts.filter { affected?.contains($0.storefront.key) ?? true }
        if days.isEmpty { return }
        let query = PostgresQuery(
            SequencerQueries.nextBounds, days.map(\.storefront.key), state.time, AvailabilityTimeline.maxChanges)
        let rows = try await session.rows(of: query, as: String.self, Timestamp.self, UUID.self)
        let passing = Dictionary(grouping: rows, by: \.0).mapValues { $0.map { AvailabilityTimeline.Bound(time: $0.1, item: $0.2) } }
        // The facts of an item that has not changed are those of the last drain.
        var facts: [String: [AvailabilityTimeline.Bound: [ItemFacts]]] = [:]
        if isKnown {
            for day in days { facts[day.storefront.key] = state.availability[day.storefront.key]?.facts(except: touched.items) }
        }
        let missing = days.map { day in
            (storefront: day.storefront, bounds: (passing[day.storefront.key] ?? []).filter { facts[day.storefront.key]?[$0] == nil })
        }
        let time = state.time
        // A price at a change is the one after it. The price before a later change is that after an earlier one, or the current
        // one.
        let read = try await rounds.facts(
            at: missing.map { storefront, bounds in
                (storefront, bounds.flatMap { [(id: $0.item, time: time), (id: $0.item, time: $0.time)] })
            })
        for (storefront, bounds) in missing {
            for (index, bound) in bounds.enumerated() {
                facts[storefront.key, default: [:]][bound] = [2 * index, 2 * index + 1].compactMap { read[storefront.key]?[$0] }
            }
        }
        if !isKnown { (state.availability, state.feedAvailability) = ([:], [:]) }
        for key in days.map(\.storefront.key) {
            let list = (passing[key] ?? []).map { bound in
                AvailabilityTimeline.AvailabilityChange(time: bound.time, item: bound.item, facts: facts[key]?[bound] ?? [])
            }
            state.availability[key] = AvailabilityTimeline(list: list)
        }
        let changed = Set(days.map(\.storefront.key))
        state.feedAvailability = state.feedAvailability.filter { !changed.contains($0.key.storefront) }
    }

    /// Returns the storefronts in which an availability or a price of the items changes by the clock, or was known to change.
    private func storefronts(boundBy touched: AffectedItems) -> Set<String> {
        if touched.items.isEmpty { return [] }
        let known = state.availability.filter { _, timeline in timeline.list.contains { touched.items.contains($0.item) } }.map(\.key)
        return touched.bounded.union(known)
    }

    /// Returns the next time at which an item of the feed becomes available or unavailable, or changes its price. These are
    /// the items that it shows, that it names, or that one of its rules matches. Returns nil if no change is known.
    mutating func nextAvailabilityChange(in storefrontFeed: StorefrontFeed, on day: StorefrontDay?) -> Timestamp? {
        if dirty.dirtySections[storefrontFeed] == nil, let known = state.feedAvailability[storefrontFeed] { return known }
        guard let day, let availability = state.availability[storefrontFeed.storefront], let published = state.published[storefrontFeed],
            let document = state.document(of: published.revision, storefrontFeed.feed)
        else { return nil }
        let sections = document.sections(on: day, at: state.time)
        let named = Set(sections.flatMap(\.references).compactMap { state.references[$0] })
        let context = context(of: document, in: storefrontFeed, day)
        let forms = sections.flatMap(\.parts).compactMap { $0.selection.rule.flatMap(context.normalForm) }
        let next = availability.first { availabilityChange in
            named.contains(availabilityChange.item)
                || published.parts.values.contains { $0.placements[availabilityChange.item] != nil }
                || availabilityChange.facts.contains { facts in forms.contains { $0.matches(facts) } }
        }
        state.feedAvailability[storefrontFeed] = .some(next)
        return next
    }
}
