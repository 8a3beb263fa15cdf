package import Feeds
package import Postgres
package import Values

/// The revisions and publications of feeds. Two changes of the same feed wait for each other.
package struct FeedStore {
    /// The maximum number of publications that an error lists for each storefront.
    private static let maxConflicts: Int32 = 20

    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    // MARK: Revisions

    /// Locks a feed for the rest of the transaction. Throws if it is archived.
    func lock(_ feed: FeedKey) async throws(FeedStoreError) {
        if try await hold(feed) { throw .feedArchived(feed) }
    }

    /// Locks a feed for the rest of the transaction, so that its data does not change until the commit. Returns whether
    /// it is archived.
    @discardableResult
    package func hold(_ feed: FeedKey) async throws(FeedStoreError) -> Bool {
        let result = try await queryResult(PostgresQuery(FeedQueries.lock, feed.text))
        guard let isArchived = try rows(of: result, as: Bool.self).first else { throw .unknown(feed) }
        return isArchived
    }

    /// Locks a feed like `hold`, and creates it if it does not exist.
    package func make(_ feed: FeedKey) async throws(FeedStoreError) {
        _ = try await queryResult(PostgresQuery(FeedQueries.create, feed.text))
        try await lock(feed)
    }

    /// Saves a document as the newest revision of a line. If it is equal to the newest, the number does not change.
    /// Creates the feed if it does not exist.
    package func save(
        _ document: FeedDocument, on line: LineKey = .main
    ) async throws(FeedStoreError) -> (number: Int, isNew: Bool) {
        let feed = document.key
        let results = try await queryResults([
            PostgresQuery(FeedQueries.create, feed.text), PostgresQuery(FeedQueries.lock, feed.text),
            PostgresQuery(FeedQueries.newestNumber, feed.text),
            PostgresQuery(FeedQueries.save, feed.text, line.text, String(decoding: document.canonical(), as: UTF8.self)),
        ])
        guard let number = try rows(of: results[3], as: Int32.self).first else { throw .feedArchived(feed) }
        let before: Int32 = try rows(of: results[2], as: Int32.self).first ?? 0
        return (Int(number), number > before)
    }

    /// Returns the revisions, the newest first, below a number.
    package func revisions(
        of feed: FeedKey, on line: LineKey? = nil, below number: Int? = nil, limit: Int = 100
    ) async throws(FeedStoreError) -> [FeedRevision] {
        let below = number.map { Int32(clamping: $0) }
        let result = try await queryResult(PostgresQuery(FeedQueries.revisions, feed.text, line?.text, below, limit))
        return try rows(of: result, as: Int32.self, String.self, String.self, Timestamp.self)
            .map { FeedRevision(number: Int($0), line: $1, hash: $2, savedAt: $3) }
    }

    /// Returns the newest revision of each line, sorted by line.
    package func drafts(of feed: FeedKey) async throws(FeedStoreError) -> [FeedRevision] {
        let result = try await queryResult(PostgresQuery(FeedQueries.drafts, feed.text))
        return try rows(of: result, as: Int32.self, String.self, String.self, Timestamp.self)
            .map { FeedRevision(number: Int($0), line: $1, hash: $2, savedAt: $3) }
    }

    /// Returns a revision with the bytes of its document, in the current format.
    package func revision(
        _ number: Int, of feed: FeedKey
    ) async throws(FeedStoreError) -> (revision: FeedRevision, document: [UInt8]) {
        let result = try await queryResult(PostgresQuery(FeedQueries.revision, feed.text, Int32(clamping: number)))
        let found = try rows(of: result, as: Int32.self, String.self, String.self, Timestamp.self, String.self).first
        guard let (number, line, hash, savedAt, document) = found else {
            throw try await drafts(of: feed).isEmpty ? .unknown(feed) : unknownRevision(number, of: feed)
        }
        let revision = FeedRevision(number: Int(number), line: line, hash: hash, savedAt: savedAt)
        return (revision, FeedFormat1.upgraded(canonical: Array(document.utf8)))
    }

    // MARK: Feeds

    /// Returns the feeds, sorted by key, with their live revisions at a time, or now.
    package func feeds(at time: Timestamp? = nil) async throws(FeedStoreError) -> [FeedSummary] {
        let results = try await queryResults([PostgresQuery(FeedQueries.list), PostgresQuery(FeedQueries.live, time)])
        var live: [String: [LiveRevision]] = [:]
        let rows = try rows(of: results[1], as: String.self, Int32.self, String.self, Timestamp?.self, [String].self)
        for (feed, revision, layer, until, storefronts) in rows {
            guard let layer = Publication.Layer(rawValue: layer) else { continue }
            live[feed, default: []].append(LiveRevision(storefronts: storefronts, revision: Int(revision), layer: layer, until: until))
        }
        return try summaries(in: results[0], live)
    }

    /// Returns the same from the publications that have not ended at the time, in the open storefronts. It reads no spans.
    func feeds(
        at time: Timestamp, of publications: [Publication], in storefronts: Set<String>
    ) async throws(FeedStoreError) -> [FeedSummary] {
        let result = try await queryResult(PostgresQuery(FeedQueries.list))
        return try summaries(in: result, LiveRevision.all(of: publications, at: time, in: storefronts))
    }

    /// Returns the feeds of a result of `feeds.list`. An archived one has no live revision.
    private func summaries(
        in result: PostgresResult, _ live: [String: [LiveRevision]]
    ) throws(FeedStoreError) -> [FeedSummary] {
        try rows(of: result, as: String.self, Timestamp?.self, Int32?.self).map { key, archivedAt, draft in
            FeedSummary(key: key, archivedAt: archivedAt, draft: draft.map(Int.init), live: archivedAt == nil ? live[key] ?? [] : [])
        }
    }

    /// Whether the feed exists, archived or not.
    package func hasFeed(_ feed: FeedKey) async throws(FeedStoreError) -> Bool {
        try rows(of: try await queryResult(PostgresQuery(FeedQueries.list)), as: String.self, Timestamp?.self, Int32?.self)
            .contains { $0.0 == feed.text }
    }

    /// Archives the feed, so that clients no longer see it. Its revisions and publications stay, and apply again when
    /// it is restored.
    package func archive(_ feed: FeedKey) async throws(FeedStoreError) {
        let result = try await queryResult(PostgresQuery(FeedQueries.archive, feed.text))
        if try rows(of: result, as: Bool.self).isEmpty { throw .unknown(feed) }
    }

    package func restore(_ feed: FeedKey) async throws(FeedStoreError) {
        let result = try await queryResult(PostgresQuery(FeedQueries.restore, feed.text))
        if try rows(of: result, as: Bool.self).isEmpty { throw .unknown(feed) }
    }

    // MARK: Publications

    /// Returns the publications of one feed or of all feeds, by feed and ID. Omits those that have ended everywhere at the
    /// time.
    package func publications(of feed: FeedKey? = nil, notOverAt time: Timestamp? = nil) async throws(FeedStoreError) -> [Publication] {
        if feed == nil, let time {
            return try publications(in: try await queryResult(PostgresQuery(FeedQueries.presentPublications, time)))
        }
        return try publications(in: try await queryResult(PostgresQuery(FeedQueries.publications, feed?.text, time)))
    }

    /// Returns the first publications of a feed with an ID above a number that have not ended everywhere at the time, by ID.
    package func publications(
        of feed: FeedKey, notOverAt time: Timestamp, above id: Int, limit: Int
    ) async throws(FeedStoreError) -> [Publication] {
        try publications(in: try await queryResult(PostgresQuery(FeedQueries.publicationPage, feed.text, time, id, limit)))
    }

    /// Returns the current and future publications of a feed, by the clock of the database.
    package func present(of feed: FeedKey) async throws(FeedStoreError) -> [Publication] {
        try await publications(of: feed, notOverAt: try await now())
    }

    /// Returns the time by the clock of the database.
    package func now() async throws(FeedStoreError) -> Timestamp {
        guard let now = try rows(of: try await queryResult(PostgresQuery(FeedQueries.clock)), as: Timestamp.self).first else {
            throw lost(FeedQueries.clock)
        }
        return now
    }

    /// Returns what an order would mean in each of its storefronts. A storefront that is closed or does not exist is an
    /// error.
    package func proposedSpans(
        of feed: FeedKey, on layer: Publication.Layer, _ order: PublicationOrder
    ) async throws(FeedStoreError) -> [ProposedSpan] {
        let results = try await queryResults([
            PostgresQuery(FeedQueries.unknownStorefronts, order.storefronts ?? []),
            PostgresQuery(
                FeedQueries.proposedSpans, feed.text, layer.rawValue, order.from?.description, order.until?.description, order.storefronts,
                Self.maxConflicts),
        ])
        let unknown = try rows(of: results[0], as: String.self)
        if !unknown.isEmpty { throw .unknownStorefronts(unknown) }
        return try rows(of: results[1], as: String.self, Timestamp.self, Timestamp?.self, Bool.self, Bool.self, [Int].self, Int?.self).map {
            ProposedSpan(storefront: $0, from: $1, until: $2, startsNow: $3, isEmpty: $4, conflicts: $5, localBase: $6)
        }
    }

    /// Returns what an order would mean after the feed and the storefronts are locked. Throws if nothing would be
    /// published, or another publication prevents it.
    func acceptedSpans(
        of feed: FeedKey, on layer: Publication.Layer, _ order: PublicationOrder
    ) async throws(FeedStoreError) -> [ProposedSpan] {
        try await holdStorefronts()
        try await checkTimes(of: order)
        let spans = try await proposedSpans(of: feed, on: layer, order)
        if !spans.isEmpty, spans.allSatisfy(\.isEmpty) { throw FeedStoreError.invalidEnd }
        let conflicts = try await publications(preventing: spans) { $0.conflicts }
        if let first = conflicts.first {
            // A publication on the base ends when the next one starts, so only equal starts conflict.
            let (conflict, choice) = layer == .base ? ("starts at the same time", "start") : ("overlaps the period", "period")
            let others =
                switch conflicts.count {
                case 1: ""
                case 2: ", as does another publication"
                default: ", as do \(conflicts.count - 1) other publications"
                }
            var error = FeedStoreError(
                .publicationOverlap, "\(first.publication) \(conflict) in \(first.storefronts.joined(separator: ", "))\(others)",
                help: "Cancel \(others.isEmpty ? "that publication" : "these publications"), or choose another \(choice).")
            error.conflictingPublications = conflicts
            throw error
        }
        let localBases = order.replacesLocal ? [] : try await publications(preventing: spans) { $0.localBase.map { [$0] } ?? [] }
        if !localBases.isEmpty {
            let places = localBases.flatMap(\.storefronts).sorted().joined(separator: ", ")
            var error = FeedStoreError(
                .localBase, "the publication for all storefronts would replace the base that was published for \(places)",
                help: "Publish for the other storefronts only, or set replaceLocal to replace this base.")
            error.conflictingPublications = localBases
            throw error
        }
        return spans
    }

    /// Returns a finding for each takeover for all storefronts that has no span in a storefront, although its end there lies ahead.
    /// The storefront was added in this transaction or by an import that has just ended, or opened after it was closed at a time.
    package func findings(inNew storefront: String, closedAt time: Timestamp? = nil) async throws(FeedStoreError) -> [ReviewFinding] {
        let result = try await queryResult(PostgresQuery(FeedQueries.takeoversWithoutSpan, storefront, time))
        return try rows(of: result, as: Int.self, String.self, Bool.self, Int?.self).map { publication, feed, isEmpty, conflict in
            .noSpan(of: publication, of: feed, in: storefront, isEmpty: isEmpty, conflict: conflict)
        }
    }

    /// Locks the set of storefronts and their zones for the rest of the transaction.
    func holdStorefronts() async throws(FeedStoreError) {
        _ = try await queryResult(PostgresQuery(FeedQueries.holdStorefronts))
    }

    /// Checks the instants of an order by the clock of the database.
    package func checkTimes(of order: PublicationOrder) async throws(FeedStoreError) {
        let now = try await now()
        if case .instant(let start)? = order.from, start < now { throw FeedStoreError.startInPast }
        guard case .instant(let end)? = order.until else { return }
        if end <= now { throw FeedStoreError.invalidEnd }
        if case .instant(let start)? = order.from, end <= start { throw FeedStoreError.invalidEnd }
    }

    /// Returns the publications that prevent an order in some of its storefronts, by ID.
    private func publications(
        preventing spans: [ProposedSpan], _ conflicts: (ProposedSpan) -> [Int]
    ) async throws(FeedStoreError) -> [PublicationPlan.Conflict] {
        var places: [Int: [String]] = [:]
        for span in spans {
            for id in conflicts(span) { places[id, default: []].append(span.storefront) }
        }
        guard !places.isEmpty else { return [] }
        return try await publications(Array(places.keys)).map {
            PublicationPlan.Conflict(storefronts: places[$0.id] ?? [], publication: $0)
        }
    }

    /// Publishes a revision without a review. `FeedPublisher` adds the review.
    func publish(
        _ revision: Int, of feed: FeedKey, on layer: Publication.Layer = .base, _ order: PublicationOrder = PublicationOrder()
    ) async throws(FeedStoreError) -> Publication {
        guard let number = Int32(exactly: revision) else { throw unknownRevision(revision, of: feed) }
        try await lock(feed)
        _ = try await acceptedSpans(of: feed, on: layer, order)
        let result = try await queryResult(
            PostgresQuery(
                FeedQueries.publish, feed.text, layer.rawValue, number, order.from?.description, order.until?.description,
                order.storefronts, order.replacesLocal))
        guard let id = try rows(of: result, as: Int.self).first, let published = try await publication(id) else {
            throw lost(FeedQueries.publish)
        }
        return published
    }

    /// Returns the revisions that a rollback publishes at a time, each with its storefronts, which are nil if they are all.
    /// A storefront without an earlier revision is not in the list, unless the caller has asked for it.
    package func rollbackTargets(
        of feed: FeedKey, _ request: RollbackRequest, at time: Timestamp
    ) async throws(FeedStoreError) -> [(revision: Int, storefronts: [String]?)] {
        let results = try await queryResults([
            PostgresQuery(FeedQueries.unknownStorefronts, request.storefronts ?? []),
            PostgresQuery(
                FeedQueries.rollbackTargets, feed.text, request.storefronts, request.revision.map { Int32(clamping: $0) }, time),
        ])
        let unknown = try rows(of: results[0], as: String.self)
        if !unknown.isEmpty { throw .unknownStorefronts(unknown) }
        let rows = try rows(of: results[1], as: Int32?.self, [String]?.self)
        if let without = rows.first(where: { $0.0 == nil }), request.storefronts != nil || rows.count == 1 {
            throw .noPreviousRevision(feed, in: request.storefronts == nil ? nil : without.1)
        }
        return rows.compactMap { revision, storefronts in revision.map { (Int($0), storefronts) } }
    }

    /// Cancels the rest of a publication in some storefronts or in all. If one on the base has not started, its
    /// predecessor lasts longer.
    package func cancel(_ id: Int, in storefronts: [String]? = nil) async throws(FeedStoreError) {
        let named = try await queryResult(PostgresQuery(FeedQueries.cancelable, id, storefronts ?? []))
        var (unknown, ended, never): ([String], [String], [String]) = ([], [], [])
        for (key, isKnown, hasSpan, isAhead) in try rows(of: named, as: String.self, Bool.self, Bool.self, Bool.self) where !isAhead {
            if !isKnown { unknown.append(key) } else if hasSpan { ended.append(key) } else { never.append(key) }
        }
        if try await publication(id) != nil {
            if !unknown.isEmpty { throw .unknownToCancel(unknown) }
            if !ended.isEmpty || !never.isEmpty { throw .publicationEnded(id, in: ended, notIn: never) }
        }
        _ = try await queryResult(PostgresQuery(FeedQueries.cancel, id, storefronts))
    }

    /// Returns the publication, or nil if it does not exist.
    package func publication(_ id: Int) async throws(FeedStoreError) -> Publication? {
        try await publications([id]).first
    }

    /// Returns those of the publications that exist, by ID.
    private func publications(_ ids: [Int]) async throws(FeedStoreError) -> [Publication] {
        try publications(in: try await queryResult(PostgresQuery(FeedQueries.publicationsByID, ids)))
    }

    /// Returns the publication of an impression. It is nil if a restore of the database removed it, even if a later
    /// publication has its ID.
    package func publication(of impression: Impression) async throws(FeedStoreError) -> Publication? {
        let query = PostgresQuery(FeedQueries.isOfEpoch, impression.publication, Int(bitPattern: UInt(impression.epoch)))
        guard try rows(of: try await queryResult(query), as: Bool.self).first == true,
            let found = try await publication(impression.publication), found.feed == impression.feed, found.revision == impression.revision
        else { return nil }
        return found
    }

    private func publications(in result: PostgresResult) throws(FeedStoreError) -> [Publication] {
        let rows = try rows(
            of: result, as: Int.self, String.self, String.self, Int32.self, [String]?.self, String.self, String?.self, Bool.self,
            Timestamp?.self, [String]?.self, Timestamp?.self, Timestamp?.self)
        var publications: [Publication] = []
        for (id, feed, layer, revision, storefronts, from, until, replacesLocal, canceled, shownIn, start, end) in rows {
            if publications.last?.id != id {
                guard let layer = Publication.Layer(rawValue: layer), let from = PlannedTime(from) else { continue }
                publications.append(
                    Publication(
                        id: id, feed: feed, layer: layer, revision: Int(revision), storefronts: storefronts, from: from,
                        until: until.flatMap { PlannedTime($0) }, replacesLocal: replacesLocal, canceledAt: canceled, spans: []))
            }
            guard let shownIn, let start else { continue }
            publications[publications.count - 1].spans += shownIn.map { .init(storefront: $0, from: start, until: end) }
        }
        for index in publications.indices { publications[index].spans.sort { $0.storefront < $1.storefront } }
        return publications
    }

    // MARK: Queries

    private func queryResult(_ query: PostgresQuery) async throws(FeedStoreError) -> PostgresResult {
        try await queryResults([query])[0]
    }

    private func queryResults(_ queries: [PostgresQuery]) async throws(FeedStoreError) -> [PostgresResult] {
        do throws(PostgresError) { return try await session.run(queries) } catch { throw FeedStoreError(error) }
    }

    private func rows<each Column: PostgresDecodable>(
        of result: PostgresResult, as columns: repeat (each Column).Type
    ) throws(FeedStoreError) -> [(repeat each Column)] {
        do throws(PostgresError) { return try result.rows(as: repeat each columns) } catch { throw FeedStoreError(error) }
    }

    private func unknownRevision(_ number: Int, of feed: FeedKey) -> FeedStoreError {
        var error = FeedStoreError(.unknownRevision, "feed '\(feed)' has no revision \(number)", help: "List the revisions of the feed.")
        error.feed = feed
        return error
    }

    private func lost(_ query: NamedQuery) -> FeedStoreError {
        FeedStoreError(PostgresError(.undecodable, "a row is missing", query: query.name.description))
    }
}

enum FeedQueries {
    static let create = NamedQuery("feeds.create")
    static let lock = NamedQuery("feeds.lock")
    static let newestNumber = NamedQuery("feeds.newest_number")
    static let save = NamedQuery("feeds.save")
    static let list = NamedQuery("feeds.list")
    static let live = NamedQuery("feeds.live")
    static let drafts = NamedQuery("feeds.drafts")
    static let revisions = NamedQuery("feeds.revisions")
    static let revision = NamedQuery("feeds.revision")
    static let publications = NamedQuery("feeds.publications")
    static let publicationPage = NamedQuery("feeds.publication_page")
    static let presentPublications = NamedQuery("feeds.present_publications")
    static let publicationsByID = NamedQuery("feeds.publications_by_id")
    static let isOfEpoch = NamedQuery("feeds.is_of_epoch")
    static let publish = NamedQuery("feeds.publish")
    static let cancel = NamedQuery("feeds.cancel")
    static let cancelable = NamedQuery("feeds.cancelable")
    static let holdStorefronts = NamedQuery("feeds.hold_storefronts")
    static let unknownStorefronts = NamedQuery("feeds.unknown_storefronts")
    static let proposedSpans = NamedQuery("feeds.proposed_spans")
    static let takeoversWithoutSpan = NamedQuery("feeds.takeovers_without_span")
    static let rollbackTargets = NamedQuery("feeds.rollback_targets")
    static let archive = NamedQuery("feeds.archive")
    static let restore = NamedQuery("feeds.restore")
    static let words = NamedQuery("feeds.words")
    static let availability = NamedQuery("feeds.availability")
    static let openings = NamedQuery("feeds.openings")
    static let itemDocuments = NamedQuery("feeds.item_documents")
    static let itemsRated = NamedQuery("feeds.items_rated")
    static let storefronts = NamedQuery("feeds.storefronts")
    static let time = NamedQuery("feeds.time")
    static let clock = NamedQuery("feeds.clock")
}
