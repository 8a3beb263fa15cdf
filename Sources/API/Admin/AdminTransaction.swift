internal import Access
internal import Catalog
internal import CatalogImport
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Layout
internal import Postgres
internal import Publishing
internal import Security
internal import Values

/// The stores of one admin request, bound to its transaction.
struct AdminTransaction {
    let context: RequestContext
    let curator: Principal
    let service: AdminService
    let session: PostgresSession

    var feeds: FeedStore { FeedStore(session) }
    var experiments: ExperimentStore { ExperimentStore(session) }
    var items: ItemStore { ItemStore(session) }
    var vocabulary: VocabularyStore { VocabularyStore(session) }
    var catalog: CatalogReader { CatalogReader(at: service.catalog.now(), session) }
    var tokens: TokenStore { TokenStore(hashedBy: Digest.sha256, session) }
    var replies: IdempotencyStore { IdempotencyStore(session) }
    var audit: AuditStore { AuditStore(session) }

    var publisher: FeedPublisher {
        FeedPublisher(
            on: service.screens, ruleTime: service.ruleTime, timeForRules: service.timeForRules, actionSchemes: service.actionSchemes,
            hashedBy: Digest.sha256, session)
    }

    var previewComposer: PreviewComposer {
        PreviewComposer(
            ruleTime: service.ruleTime, timeForRules: service.timeForRules, placeholder: { [service] in service.placeholders[$0] },
            actionSchemes: service.actionSchemes, hashedBy: Digest.sha256, session)
    }

    func record(_ change: AuditedChange) async throws {
        try await audit.record(change, by: curator, request: context.id.text)
    }
}

extension AdminTransaction {
    /// Returns the feed files in the body of the request.
    func feedFiles() throws(Problem) -> PlanRequest {
        do throws(JSONError) { return try PlanRequest(parsing: context.request.body, limits: .feedFiles) } catch { throw Problem(error) }
    }

    func plan(of request: PlanRequest) async throws -> Plan {
        let now = try await feeds.now()
        let publications = Dictionary(grouping: try await feeds.publications(notOverAt: now), by: \.feed)
        let named = Dictionary(grouping: request.files, by: \.document.key)
        var present: [FeedKey: ExistingFeed] = [:]
        for summary in try await feeds.feeds() {
            guard let feed = FeedKey(summary.key), request.prunes || named[feed] != nil else { continue }
            var drafts: [LineKey: ExistingFeed.Saved] = [:]
            for line in named[feed]?.map(\.line) ?? [.main] {
                drafts[line] = try await draft(of: feed, on: line).map { .init(number: $0.revision.number, bytes: $0.document) }
            }
            let live = try await liveRevisions(of: feed, publications[summary.key] ?? [], at: now)
            present[feed] = ExistingFeed(
                isArchived: summary.archivedAt != nil, drafts: drafts, bases: live.bases, takeovers: live.takeovers,
                publications: live.publications, localBases: live.localBases)
        }
        let storefronts = try await catalog.storefronts().map(\.key)
        return Plan(request, present: present, storefronts: storefronts)
    }

    /// Returns the current base and takeover of each storefront, with the publications of the takeovers and of the bases
    /// for listed storefronts.
    private func liveRevisions(
        of feed: FeedKey, _ publications: [Publication], at now: Timestamp
    ) async throws -> (
        bases: [String: ExistingFeed.Saved], takeovers: [String: ExistingFeed.Saved], publications: [Publication],
        localBases: [String: Publication]
    ) {
        var saved: [Int: ExistingFeed.Saved] = [:]
        var (bases, takeovers): ([String: ExistingFeed.Saved], [String: ExistingFeed.Saved]) = ([:], [:])
        var active: Set<Int> = []
        var localBases: [String: Publication] = [:]
        for (storefront, schedule) in Schedule.all(of: publications) {
            for layer in Publication.Layer.allCases {
                guard let entry = schedule.entry(on: layer, at: now) else { continue }
                if saved[entry.revision] == nil {
                    let document = try await feeds.revision(entry.revision, of: feed).document
                    saved[entry.revision] = ExistingFeed.Saved(number: entry.revision, bytes: document)
                }
                if layer == .base { bases[storefront] = saved[entry.revision] } else { takeovers[storefront] = saved[entry.revision] }
                if layer == .takeover { active.insert(entry.id) }
                if layer == .base, entry.publication.storefronts != nil { localBases[storefront] = entry.publication }
            }
        }
        return (bases, takeovers, publications.filter { active.contains($0.id) }, localBases)
    }

    /// Reviews the documents that would be published, then those that would be saved, until the time for plans is over.
    /// The rest is reported as not reviewed.
    func review(_ plan: Plan) async throws -> Plan {
        let end = ContinuousClock.now + service.timeForPlans
        let planned = plan.changes.compactMap(\.file).filter { $0.line == .main }.map(\.document)
        var plan = plan
        let indexes =
            plan.changes.indices.filter { plan.changes[$0].publishes } + plan.changes.indices.filter { !plan.changes[$0].publishes }
        for index in indexes where !plan.changes[index].isNothing && ContinuousClock.now < end {
            let change = plan.changes[index]
            guard let document = change.file?.document else { continue }
            plan.changes[index].findings = try await previewComposer.review(document, alongside: planned, on: service.screens)
            plan.changes[index].isReviewed = true
        }
        for index in plan.changes.indices {
            guard let finding = plan.changes[index].localBaseFinding else { continue }
            let reviewed = plan.changes[index].findings ?? []
            plan.changes[index].findings = finding.severity == .error ? [finding] + reviewed : reviewed + [finding]
        }
        return plan
    }
}

extension Plan {
    /// The plan with a tag of its inputs and changes. The tag excludes the findings, so they may change between plan
    /// and apply.
    var state: TaggedResource {
        get throws(JSONError) { try TaggedResource(tag: Digest.tag(of: identity), self) }
    }
}

extension JSONLimits {
    static let feedFiles = JSONLimits(bytes: 4 << 20, depth: 40)
}

extension AdminTransaction {
    /// Returns the newest revision of a line; nil if the line has no revisions.
    func draft(of feed: FeedKey, on line: LineKey) async throws -> Draft? {
        guard let newest = try await feeds.revisions(of: feed, on: line, limit: 1).first else { return nil }
        return try await revision(newest.number, of: feed)
    }

    func knownDraft(of feed: FeedKey, on line: LineKey) async throws -> Draft {
        if let draft = try await draft(of: feed, on: line) { return draft }
        throw try await feeds.feeds().contains { $0.key == feed.text } ? Problem.unknownDraft(of: feed, on: line) : .unknown(feed)
    }

    func revision(_ number: Int, of feed: FeedKey) async throws -> Draft {
        let (revision, document) = try await feeds.revision(number, of: feed)
        return Draft(feed: feed, revision: revision, document: document)
    }

    func state(of feed: FeedKey) async throws -> TaggedResource { try await state(of: feed, at: try await feeds.now()) }

    /// Returns the state of a feed at a time that this transaction has read from the clock.
    func state(of feed: FeedKey, at now: Timestamp) async throws -> TaggedResource {
        try TaggedResource(try await feedState(of: feed, at: now, listsRollback: true))
    }

    /// Returns the state of a feed with its live publications at a time, or now, and those scheduled after it. Rollback
    /// candidates are listed only for now.
    func feedState(of feed: FeedKey, at time: Timestamp?) async throws -> AdminFeed {
        if let time { return try await feedState(of: feed, at: time, listsRollback: false) }
        return try await feedState(of: feed, at: try await feeds.now(), listsRollback: true)
    }

    private func feedState(of feed: FeedKey, at time: Timestamp, listsRollback: Bool) async throws -> AdminFeed {
        guard let summary = try await feeds.feeds(at: time).first(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
        let publications = try await feeds.publications(of: feed, notOverAt: time)
        var bases: [Int: [String]] = [:]
        for (storefront, schedule) in Schedule.all(of: publications).sorted(by: { $0.key < $1.key }) {
            if let base = schedule.entry(on: .base, at: time) { bases[base.revision, default: []].append(storefront) }
        }
        let state = FeedState(
            summary: summary, lines: try await feeds.drafts(of: feed), publications: publications,
            bases: bases.sorted { $0.key < $1.key }.map { StorefrontRevision(storefronts: $0.value, revision: $0.key) },
            rollback: listsRollback ? try await rollback(of: feed, at: time) : [])
        return AdminFeed(state: state, draft: try await draft(of: feed, on: .main))
    }

    /// Returns the revisions that a rollback would publish at a time, with all of their storefronts.
    private func rollback(of feed: FeedKey, at time: Timestamp) async throws -> [StorefrontRevision] {
        do {
            let all = try await catalog.storefronts().map(\.key).sorted()
            return try await feeds.rollbackTargets(of: feed, RollbackRequest(), at: time).map {
                StorefrontRevision(storefronts: $0.storefronts ?? all, revision: $0.revision)
            }
        } catch let error as FeedStoreError where error.code == .noPreviousRevision {
            return []
        }
    }

    /// Returns the document in the body of the request. It must be of the feed in the path.
    func document(of feed: FeedKey) throws -> FeedDocument {
        let document: FeedDocument
        do throws(JSONError) {
            document = try FeedDocument(parsing: context.request.body, limits: .feed)
        } catch {
            throw Problem(error)
        }
        guard document.key == feed else {
            var problem = Problem(
                .unprocessableContent, code: "feedMismatch",
                detail: "The document and the path name different feeds. Use the same feed key in both.")
            problem.issues = [Problem.FieldError(pointer: "/feed", message: "expected \(feed)")]
            throw problem
        }
        return document
    }
}

extension Problem {
    static func unknown(_ feed: FeedKey) -> Problem {
        Problem(
            .notFound, code: "unknownFeed", detail: "Feed '\(feed)' does not exist. Use a key from the list of feeds.",
            see: "/admin/v1/feeds"
        )
    }

    static func unknownDraft(of feed: FeedKey, on line: LineKey) -> Problem {
        Problem(.notFound, code: "unknownDraft", detail: "Feed '\(feed)' has no draft on the line '\(line)'. Save a draft first.")
    }
}

/// The live and scheduled publications of a feed, with the draft of its main line.
struct AdminFeed: JSONObjectEncodable {
    let state: FeedState
    /// The draft of the main line; nil if it has no revisions.
    let draft: Draft?

    func encodeMembers(to json: inout JSONWriter) {
        state.encodeMembers(to: &json)
        json.member("draft", draft)
    }
}
