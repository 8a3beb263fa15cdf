package import Catalog
internal import Feeds
internal import JSON
package import Postgres

/// Reads what scopes have, by whatever runs its queries; each answer is of one moment.
package struct SyncReader {
    /// What is behind a cursor.
    package struct Reading: Sendable {
        package let head: SyncHead
        package let rows: [SyncRow]
        /// There is nothing up to this version but the rows.
        package let end: Int
    }

    private let queries: SyncQueries
    private let run: CatalogReader.Run

    /// `run` answers with a result for each query.
    package init(_ queries: SyncQueries, run: @escaping CatalogReader.Run) {
        self.queries = queries
        self.run = run
    }

    package func head() async throws(PostgresError) -> SyncHead {
        let rows = try await answer(PostgresQuery(queries.head)).rows(as: Int.self, Int.self, [Int].self, [Int].self)
        guard let (version, floor, nonces, starts) = rows.first else { throw lost(queries.head) }
        return SyncHead(version: version, floor: floor, history: EpochHistory(nonces, starts))
    }

    /// Up to one row more than is asked for; nil is the beginning.
    package func read(_ scope: SyncScope, behind cursor: SyncCursor?, limit: Int) async throws(PostgresError) -> Reading {
        // Who begins now has nothing of what is gone.
        let (version, base) = (cursor?.version ?? 0, cursor?.base ?? .max)
        let most = Int32(limit + 1)
        let query =
            switch scope.content {
            case .catalog: PostgresQuery(queries.catalog, scope.storefront, version, base, most)
            case .feeds(let feeds): PostgresQuery(queries.feeds, scope.storefront, feeds, version, base, most)
            }
        var head: SyncHead?
        var end = 0
        var rows: [SyncRow] = []
        let found = try await answer(query).rows(
            as: Int.self, Int.self, Int.self, [Int]?.self, [Int]?.self, Int?.self, Int?.self, String?.self, String?.self, String?.self,
            JSONBytes?.self)
        for (version, floor, last, nonces, starts, rowVersion, ownVersion, kind, id, hash, document) in found {
            if let nonces, let starts {
                head = SyncHead(version: version, floor: floor, history: EpochHistory(nonces, starts))
                end = last
            }
            guard let rowVersion, let id, let kind = kind.flatMap({ PublishedKind(rawValue: $0) }) else { continue }
            var content: SyncRow.Content?
            if let hash, let document { content = SyncRow.Content(hash: hash, document: document.bytes) }
            rows.append(SyncRow(kind: kind, id: id, version: rowVersion, ownVersion: ownVersion ?? rowVersion, content: content))
        }
        guard let head else { throw lost(query.name) }
        return Reading(head: head, rows: rows, end: end)
    }

    /// All there is in a scope, in buckets by the first bits of the hashes of ids; with the head that it is as of.
    package func buckets(of scope: SyncScope, bits: Int?) async throws(PostgresError) -> SyncDigests {
        switch scope.content {
        case .catalog:
            let rows = try await answer(PostgresQuery(queries.catalogBuckets, scope.storefront, Int32(SyncDigests.mostBits)))
                .rows(as: Int.self, Int32?.self, Int?.self, Int?.self, Int?.self)
            var digests = SyncDigests(head: rows.first?.0 ?? 0)
            for (_, bucket, entries, high, low) in rows {
                guard let bucket, let entries, let high, let low else { continue }
                digests.add(SyncDigest(high: high, low: low), entries: entries, to: Int(bucket))
            }
            return digests.folded(to: bits)
        case .feeds(let feeds):
            let found = try await entries(of: feeds, in: scope.storefront)
            var digests = SyncDigests(head: found.first?.head ?? 0)
            for entry in Self.distinct(found) { digests.add(entry.digest, entries: 1, to: entry.bucket) }
            return digests.folded(to: bits)
        }
    }

    /// What is in some of the buckets.
    package func entries(of scope: SyncScope, in buckets: [Int], bits: Int) async throws(PostgresError) -> [SyncEntry] {
        switch scope.content {
        case .catalog:
            return try await answer(PostgresQuery(queries.catalogEntries, scope.storefront, Int32(bits), buckets.map { Int32($0) }))
                .rows(as: String.self, String.self, Int.self, String.self)
                .map { SyncEntry(kind: $0, id: $1, version: $2, hash: $3) }
        case .feeds(let feeds):
            let wanted = Set(buckets)
            return Self.distinct(try await entries(of: feeds, in: scope.storefront))
                .filter { wanted.contains($0.bucket >> (SyncDigests.mostBits - bits)) }.map(\.entry)
        }
    }

    /// What a client can prove its copy by that has got to the head.
    package struct Proof: Sendable, Equatable {
        package let head: Int
        package let entries: Int
        package let whole: SyncDigest
        /// Of each feed by itself; an item that is in two is in both.
        package let feeds: [String: SyncDigest]
    }

    package func proof(of scope: SyncScope) async throws(PostgresError) -> Proof {
        guard case .feeds(let feeds) = scope.content else {
            let digests = try await buckets(of: scope, bits: 0)
            return Proof(head: digests.head, entries: digests.entries, whole: digests.whole, feeds: [:])
        }
        let found = try await entries(of: feeds, in: scope.storefront)
        var digests = Dictionary(uniqueKeysWithValues: feeds.map { ($0, SyncDigest()) })
        for case let (_, entry?, feed?) in found { digests[feed]?.formXOR(entry.digest) }
        let distinct = Self.distinct(found)
        return Proof(
            head: found.first?.head ?? 0, entries: distinct.count,
            whole: distinct.reduce(into: SyncDigest()) { $0.formXOR($1.digest) }, feeds: digests)
    }

    private struct FoundEntry {
        let entry: SyncEntry
        let bucket: Int
        let digest: SyncDigest
    }

    /// Each once, with the highest of the versions that it has in several feeds.
    private static func distinct(_ found: [(head: Int, entry: FoundEntry?, feed: String?)]) -> [FoundEntry] {
        var entries: [String: FoundEntry] = [:]
        for case let (_, entry?, _) in found {
            let key = "\(entry.entry.kind)\n\(entry.entry.id)"
            if let present = entries[key], present.entry.version >= entry.entry.version { continue }
            entries[key] = entry
        }
        return entries.sorted { $0.key < $1.key }.map(\.value)
    }

    private func entries(
        of feeds: [String], in storefront: String
    ) async throws(PostgresError) -> [(head: Int, entry: FoundEntry?, feed: String?)] {
        try await answer(PostgresQuery(queries.feedEntries, storefront, feeds))
            .rows(
                as: Int.self, String?.self, String?.self, String?.self, Int?.self, String?.self, Int32?.self, Int?.self, Int?.self
            )
            .map { head, feed, kind, id, version, hash, bucket, high, low in
                guard let kind, let id, let version, let hash, let bucket, let high, let low else { return (head, nil, nil) }
                let entry = SyncEntry(kind: kind, id: id, version: version, hash: hash)
                return (head, FoundEntry(entry: entry, bucket: Int(bucket), digest: SyncDigest(high: high, low: low)), feed)
            }
    }

    private func answer(_ query: PostgresQuery) async throws(PostgresError) -> PostgresResult {
        guard let result = try await run([query]).first else { throw PostgresError(.misuse, "a query has no answer", query: query.name) }
        return result
    }

    private func lost(_ query: NamedQuery) -> PostgresError { lost(query.name.description) }

    private func lost(_ query: String) -> PostgresError { PostgresError(.undecodable, "there is no head", query: query) }
}

extension EpochHistory {
    /// As the database tells them, which has no numbers without a sign.
    fileprivate init(_ nonces: [Int], _ starts: [Int]) {
        self.init(zip(nonces, starts).map { Epoch(EpochID(nonce: UInt64(bitPattern: Int64($0))), start: $1) })
    }
}
