package import Feeds
package import Postgres
package import Values

/// The revisions and publications of feeds. Two changes of the same feed wait for each other.
package struct FeedStore {
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
        let result = try await queryResult(PostgresQuery(FeedQueries.list, time))
        return try rows(of: result, as: String.self, Timestamp?.self, Int32?.self, Int32?.self, String?.self, Timestamp?.self).map {
            FeedSummary(
                key: $0, archivedAt: $1, draft: $2.map(Int.init), live: $3.map(Int.init), layer: $4.flatMap(Publication.Layer.init),
                until: $5)
        }
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

    package enum Layer: Sendable {
        /// The base layer. A publication lasts until the next scheduled one.
        case base
        /// The takeover layer, which has precedence over the base. A publication lasts until a time or until it is
        /// canceled.
        case takeover(until: Timestamp?)
    }

    /// Returns the publications of one feed or of all feeds, by feed and time. Omits those that have ended at the time.
    package func schedule(of feed: FeedKey? = nil, notOverAt time: Timestamp? = nil) async throws(FeedStoreError) -> [Publication] {
        try publications(in: try await queryResult(PostgresQuery(FeedQueries.publications, feed?.text, time)))
    }

    /// Returns the current and future publications of a feed, by the clock of the database.
    package func present(of feed: FeedKey) async throws(FeedStoreError) -> [Publication] {
        try await schedule(of: feed, notOverAt: try await now())
    }

    /// Returns the current publications of each feed, at most one on each layer, even if the feed is archived.
    package func layers(of feed: FeedKey? = nil) async throws(FeedStoreError) -> [String: [Publication]] {
        let now = try await now()
        return Dictionary(grouping: try await schedule(of: feed, notOverAt: now).filter { $0.from <= now }, by: \.feed)
    }

    /// Returns the time by the clock of the database.
    package func now() async throws(FeedStoreError) -> Timestamp {
        guard let now = try rows(of: try await queryResult(PostgresQuery(FeedQueries.clock)), as: Timestamp.self).first else {
            throw lost(FeedQueries.clock)
        }
        return now
    }

    /// Publishes a revision from a time, or from now, without a review. `FeedPublisher` adds the review.
    func publish(
        _ revision: Int, of feed: FeedKey, as publicationLayer: Layer = .base, from start: Timestamp? = nil, timeZone: String = "UTC"
    ) async throws(FeedStoreError) -> Publication {
        guard let number = Int32(exactly: revision) else { throw unknownRevision(revision, of: feed) }
        let (layer, end): (Publication.Layer, Timestamp?) =
            switch publicationLayer {
            case .base: (.base, nil)
            case .takeover(let end): (.takeover, end)
            }
        let results = try await queryResults([
            PostgresQuery(FeedQueries.lock, feed.text),
            PostgresQuery(FeedQueries.publish, feed.text, layer.rawValue, number, start, end, timeZone),
        ])
        let response = try rows(of: results[1], as: Int?.self, Int?.self).first
        guard let (published, conflictingPublication) = response else {
            let exists = try !rows(of: results[0], as: Bool.self).isEmpty
            throw exists ? .feedArchived(feed) : .unknown(feed)
        }
        guard let id = published ?? conflictingPublication, let found = try await publication(id) else { throw lost(FeedQueries.publish) }
        guard published == nil else { return found }
        // A publication on the base ends when the next one starts, so only equal starts conflict.
        let (conflict, choice) = layer == .base ? ("starts at the same time", "start") : ("overlaps the period", "period")
        throw FeedStoreError(
            .publicationOverlap, "\(found) \(conflict)", help: "Cancel that publication, or choose another \(choice).",
            conflictingPublication: found)
    }

    /// Returns the last revision of the base that differs from the current one, or nil if no other revision was on the
    /// base.
    package func revisionShownBefore(_ feed: FeedKey) async throws(FeedStoreError) -> Int? {
        try rows(of: try await queryResult(PostgresQuery(FeedQueries.shownBefore, feed.text)), as: Int32.self).first.map { Int($0) }
    }

    /// Cancels the rest of a publication. If one on the base has not started, its predecessor lasts longer.
    package func cancel(_ id: Int) async throws(FeedStoreError) {
        _ = try await queryResult(PostgresQuery(FeedQueries.cancel, id))
    }

    /// Returns the publication, or nil if it does not exist.
    package func publication(_ id: Int) async throws(FeedStoreError) -> Publication? {
        try publications(in: try await queryResult(PostgresQuery(FeedQueries.publication, id))).first
    }

    private func publications(in result: PostgresResult) throws(FeedStoreError) -> [Publication] {
        try rows(of: result, as: Int.self, String.self, String.self, Int32.self, Timestamp.self, Timestamp?.self, String.self)
            .compactMap { id, feed, layer, revision, from, until, timeZone in
                Publication.Layer(rawValue: layer).map {
                    Publication(id: id, feed: feed, layer: $0, revision: Int(revision), from: from, until: until, timeZone: timeZone)
                }
            }
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
    static let drafts = NamedQuery("feeds.drafts")
    static let revisions = NamedQuery("feeds.revisions")
    static let revision = NamedQuery("feeds.revision")
    static let publications = NamedQuery("feeds.publications")
    static let publication = NamedQuery("feeds.publication")
    static let publish = NamedQuery("feeds.publish")
    static let cancel = NamedQuery("feeds.cancel")
    static let shownBefore = NamedQuery("feeds.shown_before")
    static let archive = NamedQuery("feeds.archive")
    static let restore = NamedQuery("feeds.restore")
    static let words = NamedQuery("feeds.words")
    static let availability = NamedQuery("feeds.availability")
    static let openings = NamedQuery("feeds.openings")
    static let itemDocuments = NamedQuery("feeds.item_documents")
    static let storefronts = NamedQuery("feeds.storefronts")
    static let time = NamedQuery("feeds.time")
    static let clock = NamedQuery("feeds.clock")
}
