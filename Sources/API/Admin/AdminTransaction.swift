internal import Access
internal import Catalog
internal import CatalogImport
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
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
    var items: ItemStore { ItemStore(session) }
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
        let layers = try await feeds.layers()
        let named = Dictionary(grouping: request.files, by: \.document.key)
        var present: [FeedKey: ExistingFeed] = [:]
        for summary in try await feeds.feeds() {
            guard let feed = FeedKey(summary.key), request.prunes || named[feed] != nil else { continue }
            var drafts: [LineKey: ExistingFeed.Saved] = [:]
            for line in named[feed]?.map(\.line) ?? [.main] {
                drafts[line] = try await draft(of: feed, on: line).map { .init(number: $0.revision.number, bytes: $0.document) }
            }
            var base: ExistingFeed.Saved?
            var takeover: ExistingFeed.Live?
            for publication in layers[summary.key] ?? [] {
                let number = publication.revision
                let saved = ExistingFeed.Saved(number: number, bytes: try await feeds.revision(number, of: feed).document)
                if publication.layer == .base { base = saved } else { takeover = .init(publication, saved) }
            }
            present[feed] = ExistingFeed(isArchived: summary.archivedAt != nil, drafts: drafts, base: base, takeover: takeover)
        }
        let storefronts = try await catalog.storefronts().map(\.key)
        return Plan(request, present: present, storefronts: storefronts)
    }

    /// Reviews the documents that would be published, then those that would be saved, until the time for plans is over.
    /// The rest is reported as not reviewed.
    func review(_ plan: Plan) async throws -> Plan {
        let end = ContinuousClock.now + service.timeForPlans
        var plan = plan
        let indexes =
            plan.changes.indices.filter { plan.changes[$0].publishes } + plan.changes.indices.filter { !plan.changes[$0].publishes }
        for index in indexes where !plan.changes[index].isNothing && ContinuousClock.now < end {
            let change = plan.changes[index]
            guard let document = change.file?.document else { continue }
            plan.changes[index].findings = try await previewComposer.review(document, on: service.screens)
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

    func state(of feed: FeedKey) async throws -> TaggedResource { try TaggedResource(try await feedState(of: feed, at: nil)) }

    /// Returns the state of a feed with its live publications at a time, or now, and those scheduled after it. Rollback
    /// candidates are listed only for now.
    func feedState(of feed: FeedKey, at time: Timestamp?) async throws -> AdminFeed {
        guard let summary = try await feeds.feeds(at: time).first(where: { $0.key == feed.text }) else { throw Problem.unknown(feed) }
        let publications: [Publication]
        let base: Publication?
        if let time {
            publications = try await feeds.schedule(of: feed, notOverAt: time)
            base = publications.first { $0.layer == .base && $0.from <= time }
        } else {
            publications = try await feeds.present(of: feed)
            base = try await feeds.layers(of: feed)[feed.text]?.first { $0.layer == .base }
        }
        let state = FeedState(
            summary: summary, lines: try await feeds.drafts(of: feed), publications: publications, base: base,
            previousBase: time == nil ? try await feeds.revisionShownBefore(feed) : nil)
        return AdminFeed(state: state, draft: try await draft(of: feed, on: .main))
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
