internal import Catalog
internal import Feeds
package import Items
internal import JSON
package import Postgres

/// A reader of sync scopes. Each response is from one snapshot.
package struct SyncReader {
    package struct Reading: Sendable {
        package let head: SyncHead
        package let rows: [SyncRow]
        /// The version up to which the rows are complete.
        package let end: Int
        /// The storefront in whose form the rows are sent, or nil if it is not published yet.
        package let storefront: Storefront?
    }

    /// The limits of the work for one page.
    package struct Limits: Sendable {
        /// The largest number of items that the planner estimates reliably.
        package static let maxFewItems = 500

        /// The number of rows of each index that may be skipped for a catalog page.
        package let passedRows: Int
        /// The limit below which changed items are looked up among the members of feeds. Above it each member is
        /// inspected.
        package let fewItems: Int

        package init(passedRows: Int = 5_000, fewItems: Int = maxFewItems) {
            precondition(passedRows > 0, "the number of passed rows must be positive")
            precondition((0...Self.maxFewItems).contains(fewItems), "the number of few items must be from 0 to \(Self.maxFewItems)")
            self.passedRows = passedRows
            self.fewItems = fewItems
        }
    }

    /// The size of a stored document in relation to what is sent. A document holds all locales and storefronts; about
    /// half of it is sent.
    private static let documentSize = 2

    /// The size of the stored changes that are read for a page.
    static func storedBytes(of budget: SyncPage.Budget) -> Int { budget.bytes * documentSize }

    /// The size that is counted for an item in addition to its document. Half of it is between the size of the envelope and that of an
    /// envelope with two generated images, which an item without an icon has. Without it, a page would read four times the items that
    /// it sends. No page has more items than this size allows.
    static let itemBytes = 1_200

    /// The largest size that the database may count for a row. It adds four bytes to a value that it does not compress.
    static func maxStoredBytes(of row: SyncRow) -> Int {
        row.content.map { $0.document.count + 4 + (row.kind == .item ? itemBytes : 0) } ?? 0
    }

    package let limits: Limits
    private let session: PostgresSession

    package init(limits: Limits = Limits(), _ session: PostgresSession) {
        self.limits = limits
        self.session = session
    }

    /// Reads at most one row more than a page may have, and no more bytes than fill a page in every locale. A nil
    /// cursor means the beginning.
    package func read(_ scope: SyncScope, after cursor: SyncCursor?, within budget: SyncPage.Budget) async throws(PostgresError) -> Reading
    {
        // A new client needs no tombstones.
        let (version, base) = (cursor?.version ?? 0, cursor?.base ?? .max)
        let (maximum, bytes) = (Int32(budget.changes + 1), Self.storedBytes(of: budget))
        let query =
            switch scope.content {
            case .catalog:
                PostgresQuery(
                    SyncQueries.catalog, scope.storefront, version, base, maximum, bytes, limits.passedRows,
                    Int32(Self.itemBytes))
            case .feeds:
                PostgresQuery(
                    SyncQueries.feeds, scope.storefront, scope.content.storedNames, version, base, maximum, bytes, limits.fewItems,
                    Int32(Self.itemBytes))
            }
        let found = try await session.run(query).rows(ofColumns: 14)
        guard let first = found.first else { throw lost(query.name) }
        let storefrontVersion = try first.optionalInteger(at: 6)
        let head = SyncHead(
            version: try first.value(at: 0), floor: try first.value(at: 1), isComplete: try first.value(at: 2),
            history: EpochHistory(try first.value(at: 4), try first.value(at: 5)), storefrontVersion: storefrontVersion ?? 0)
        var storefront: PublishedStorefront?
        if let storefrontVersion, let document = try first.optionalJSON(at: 7) {
            do throws(JSONError) {
                storefront = try PublishedStorefront(version: storefrontVersion, document: document)
            } catch {
                throw PostgresError(.undecodable, "the published storefront is unreadable: \(error)", query: query.name)
            }
        }
        var rows: [SyncRow] = []
        rows.reserveCapacity(found.count)
        for row in found {
            if let change = try Self.change(row) { rows.append(change) }
        }
        return Reading(head: head, rows: rows, end: try first.value(at: 3), storefront: storefront?.storefront)
    }

    /// Returns the change of a row, or nil if it has only the head or an unknown kind.
    private static func change(_ row: PostgresRows.Row) throws(PostgresError) -> SyncRow? {
        guard let version = try row.optionalInteger(at: 8),
            let kind = try row.optionalText(at: 10).flatMap({ PublishedKind(rawValue: $0) }), let id = try row.optionalText(at: 11)
        else { return nil }
        var content: SyncRow.Content?
        if let hash = try row.optionalText(at: 12), let document = try row.optionalJSON(at: 13) {
            content = SyncRow.Content(hash: hash, document: document)
        }
        return SyncRow(kind: kind, id: id, version: version, ownVersion: try row.optionalInteger(at: 9) ?? version, content: content)
    }

    /// The digests of a scope as database rows. There may be 65,536, and decoding them would block an event loop too
    /// long.
    package struct BucketRows: Sendable {
        fileprivate enum Source: Sendable {
            case catalog(PostgresResult)
            case feeds(PostgresResult)
        }

        fileprivate let source: Source

        /// Returns all buckets at the resolution of the database, with the head at which they were read.
        package func digests() throws(PostgresError) -> SyncDigests {
            switch source {
            case .catalog(let result):
                let rows = try result.rows(as: Int.self, Int32?.self, Int?.self, Int?.self, Int?.self)
                var digests = SyncDigests(head: rows.first?.0 ?? 0)
                for (_, bucket, entries, high, low) in rows {
                    guard let bucket, let entries, let high, let low else { continue }
                    digests.add(SyncDigest(high: high, low: low), entries: entries, to: Int(bucket))
                }
                return digests
            case .feeds(let result):
                let (head, found) = try SyncReader.feedEntries(result)
                var digests = SyncDigests(head: head)
                for entry in found { digests.add(entry.digest, entries: 1, to: entry.bucket) }
                return digests
            }
        }
    }

    package func buckets(of scope: SyncScope) async throws(PostgresError) -> BucketRows {
        switch scope.content {
        case .catalog:
            BucketRows(
                source: .catalog(
                    try await session.run(PostgresQuery(SyncQueries.catalogBuckets, scope.storefront, Int32(SyncDigests.maxBits)))))
        case .feeds: BucketRows(source: .feeds(try await session.run(feedEntries(of: scope))))
        }
    }

    package struct Listing: Sendable, Equatable {
        package let head: Int
        /// The listed buckets, each complete.
        package let buckets: Set<Int>
        package let entries: [SyncEntry]
    }

    /// The entries of some buckets as database rows. For feeds they include all entries of the feeds, and decoding them
    /// would block an event loop too long.
    package struct EntryRows: Sendable {
        fileprivate enum Source: Sendable {
            case catalog(PostgresResult)
            case feeds(PostgresResult, buckets: [Int], bits: Int, limit: Int)
        }

        fileprivate let source: Source

        /// Returns as many of the first buckets as fit within the limit. If the first bucket alone exceeds it, the
        /// listing has up to one entry more than the limit.
        package func listing() throws(PostgresError) -> Listing {
            switch source {
            case .catalog(let result):
                let rows = try result.rows(as: Int.self, [Int32].self, String.self, String?.self, Int?.self, Int?.self, String?.self)
                return Listing(
                    head: rows.first?.0 ?? 0, buckets: Set(rows.first?.1.map(Int.init) ?? []),
                    entries: rows.compactMap { SyncReader.entry($2, $3, $4, $5, $6) })
            case .feeds(let result, let buckets, let bits, let limit):
                let (head, found) = try SyncReader.feedEntries(result)
                let requested = Set(buckets)
                var byBucket: [Int: [SyncEntry]] = [:]
                for entry in found {
                    let bucket = entry.bucket >> (SyncDigests.maxBits - bits)
                    if requested.contains(bucket) { byBucket[bucket, default: []].append(entry.entry) }
                }
                var listed: Set<Int> = []
                var entries: [SyncEntry] = []
                for bucket in buckets {
                    let more = byBucket[bucket] ?? []
                    guard listed.isEmpty || entries.count + more.count <= limit else { break }
                    listed.insert(bucket)
                    entries += more.prefix(limit + 1)
                }
                return Listing(head: head, buckets: listed, entries: entries)
            }
        }
    }

    /// Reads the entries of as many of the first buckets as the limit allows.
    package func entries(of scope: SyncScope, in buckets: [Int], bits: Int, limit: Int) async throws(PostgresError) -> EntryRows {
        switch scope.content {
        case .catalog:
            let query = PostgresQuery(SyncQueries.catalogEntries, scope.storefront, Int32(bits), buckets.map { Int32($0) }, Int32(limit))
            return EntryRows(source: .catalog(try await session.run(query)))
        case .feeds:
            let result = try await session.run(feedEntries(of: scope))
            return EntryRows(source: .feeds(result, buckets: buckets, bits: bits, limit: limit))
        }
    }

    /// The head and digest with which an up-to-date client verifies its local copy.
    package struct DigestSummary: Sendable, Equatable {
        package struct Head: Sendable, Equatable {
            package let version: Int
            package let floor: Int
            package let history: EpochHistory
        }

        package let head: Head
        package let entries: Int
        package let whole: SyncDigest
        /// The digest of each feed. An item in two feeds counts in both.
        package let feeds: [String: SyncDigest]
    }

    package func proof(of scope: SyncScope) async throws(PostgresError) -> DigestSummary {
        let query: PostgresQuery
        var feeds: [String: SyncDigest] = [:]
        switch scope.content {
        case .catalog: query = PostgresQuery(SyncQueries.catalogProof, scope.storefront)
        case .feeds(let keys, _):
            query = PostgresQuery(SyncQueries.feedProof, scope.storefront, scope.content.storedNames)
            for key in keys { feeds[key] = SyncDigest() }
        }
        let rows = try await session.rows(
            of: query, as: Int.self, Int.self, [Int].self, [Int].self, String?.self, Int.self, Int.self, Int.self)
        var proof: (head: DigestSummary.Head, entries: Int, whole: SyncDigest)?
        for (version, floor, nonces, starts, feed, entries, high, low) in rows {
            let digest = SyncDigest(high: high, low: low)
            if let feed {
                feeds[feed] = digest
            } else {
                let head = DigestSummary.Head(version: version, floor: floor, history: EpochHistory(nonces, starts))
                proof = (head, entries, digest)
            }
        }
        guard let proof else { throw lost(query.name) }
        return DigestSummary(head: proof.head, entries: proof.entries, whole: proof.whole, feeds: feeds)
    }

    private func feedEntries(of scope: SyncScope) -> PostgresQuery {
        PostgresQuery(SyncQueries.feedEntries, scope.storefront, scope.content.storedNames)
    }

    private struct FoundEntry {
        let entry: SyncEntry
        let bucket: Int
        let digest: SyncDigest
    }

    private static func feedEntries(_ result: PostgresResult) throws(PostgresError) -> (head: Int, entries: [FoundEntry]) {
        let rows = try result.rows(
            as: Int.self, String?.self, String?.self, Int?.self, Int?.self, String?.self, Int32?.self, Int?.self, Int?.self)
        let entries = rows.compactMap { _, kind, id, version, ownVersion, hash, bucket, high, low -> FoundEntry? in
            guard let entry = entry(kind, id, version, ownVersion, hash), let bucket, let high, let low else { return nil }
            return FoundEntry(entry: entry, bucket: Int(bucket), digest: SyncDigest(high: high, low: low))
        }
        return (rows.first?.0 ?? 0, entries)
    }

    private static func entry(_ kind: String?, _ id: String?, _ version: Int?, _ ownVersion: Int?, _ hash: String?) -> SyncEntry? {
        guard let kind = kind.flatMap({ PublishedKind(rawValue: $0) }), let id, let version, let hash else { return nil }
        return SyncEntry(kind: kind, id: id, version: version, ownVersion: ownVersion, hash: hash)
    }

    private func lost(_ query: String) -> PostgresError { PostgresError(.undecodable, "the sync head is missing", query: query) }
}

extension EpochHistory {
    /// Creates the history from database values. PostgreSQL has no unsigned integers, so nonces are bit patterns.
    fileprivate init(_ nonces: [Int], _ starts: [Int]) {
        self.init(zip(nonces, starts).map { Epoch(EpochID(nonce: UInt64(bitPattern: Int64($0))), start: $1) })
    }
}

enum SyncQueries {
    static let catalog = NamedQuery("sync.catalog")
    static let feeds = NamedQuery("sync.feeds")
    static let catalogProof = NamedQuery("sync.catalog_proof")
    static let feedProof = NamedQuery("sync.feed_proof")
    static let catalogBuckets = NamedQuery("sync.catalog_buckets")
    static let catalogEntries = NamedQuery("sync.catalog_entries")
    static let feedEntries = NamedQuery("sync.feed_entries")
}
