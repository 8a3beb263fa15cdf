internal import Catalog
internal import JSON
package import Layout
package import Postgres
package import Time

/// Reads what is published, by whatever runs its queries.
package struct PageReader {
    package typealias Run = (_ queries: [PostgresQuery]) async throws(PostgresError) -> [PostgresResult]

    private let queries: PageQueries
    private let run: Run

    /// `run` answers with a result for each query, all of one round trip.
    package init(_ queries: PageQueries, run: @escaping Run) {
        self.queries = queries
        self.run = run
    }

    package struct Head: Sendable {
        /// Of all that is published.
        package let version: Int
        /// By the clock of the database.
        package let moment: Timestamp
        /// Of each feed that is shown, when the clock changes it; nil for never.
        package let ends: [FeedPlace: Timestamp?]
    }

    /// What there is to read, without reading it.
    package func head() async throws(PostgresError) -> Head {
        let results = try await run([PostgresQuery(queries.head), PostgresQuery(queries.ends)])
        guard let (version, moment) = try results[0].rows(as: Int.self, Timestamp.self).first else {
            throw PostgresError(.undecodable, "there is no head", query: queries.head.name.description)
        }
        let ends = try results[1].rows(as: String.self, String.self, Timestamp?.self).map { (FeedPlace(storefront: $0, feed: $1), $2) }
        return Head(version: version, moment: moment, ends: Dictionary(ends, uniquingKeysWith: { first, _ in first }))
    }

    /// The feeds that show something else than at a version.
    package func touched(since version: Int) async throws(PostgresError) -> [FeedPlace] {
        try await run([PostgresQuery(queries.touched, version)])[0].rows(as: String.self, String.self)
            .map { FeedPlace(storefront: $0, feed: $1) }
    }

    /// Nil where the feed is not shown in the storefront.
    package func edition(of place: FeedPlace) async throws -> FeedEdition? {
        var editions: [FeedPlace: FeedEdition] = [:]
        try await read([place], into: &editions, since: 0)
        return editions[place]
    }

    /// Reads editions anew, and takes those away that are not shown. What the present ones know of items is read again only where it changed
    /// since a version, by which they are up to date.
    package func read(_ places: some Sequence<FeedPlace>, into editions: inout [FeedPlace: FeedEdition], since version: Int) async throws {
        var known = editions.values.reduce(into: [UUID: Item]()) { known, edition in
            known.merge(edition.items) { $0.version < $1.version ? $1 : $0 }
        }
        for place in places {
            let edition = try await edition(of: place, &known, since: known.isEmpty ? 0 : version)
            editions[place] = edition
        }
    }

    /// Its parts are of one moment, as they are read by one statement; an item may be a version newer.
    private func edition(of place: FeedPlace, _ known: inout [UUID: Item], since version: Int) async throws -> FeedEdition? {
        let results = try await run([
            PostgresQuery(queries.parts, place.storefront, place.feed), PostgresQuery(queries.items, place.storefront, place.feed, version),
        ])
        let parts = try results[0].rows(as: String.self, String.self, Int.self, JSONBytes.self, Timestamp?.self)
            .compactMap { kind, id, version, document, validUntil in
                PublishedKind(rawValue: kind).map {
                    FeedEdition.Part(kind: $0, id: id, version: version, document: document.bytes, validUntil: validUntil)
                }
            }
        var items: [UUID: Item] = [:]
        var missing: [UUID] = []
        for (id, version, document) in try results[1].rows(as: UUID.self, Int.self, JSONBytes?.self) {
            if let document {
                items[id] = try Item(published: document.bytes, version: version)
            } else if let item = known[id], item.version == version {
                items[id] = item
            } else {
                missing.append(id)
            }
        }
        if !missing.isEmpty {
            for (id, version, document) in try await run([PostgresQuery(queries.someItems, missing)])[0].rows(
                as: UUID.self, Int.self, JSONBytes.self)
            {
                items[id] = try Item(published: document.bytes, version: version)
            }
        }
        known.merge(items) { $1 }
        return try FeedEdition(place.storefront, parts: parts, items: items)
    }

    /// The layouts that were published behind a version, and the version of the last.
    package func layouts(since version: Int) async throws -> (table: LayoutTable, version: Int) {
        var layouts: [LayoutID: PublishedLayout] = [:]
        var last = version
        for (id, version, document) in try await run([PostgresQuery(queries.layouts, version)])[0].rows(
            as: String.self, Int.self, JSONBytes.self)
        {
            last = version
            guard let id = LayoutID(id) else { continue }
            layouts[id] = try JSONDocument(parsing: document.bytes, limits: .ownOutput).decodeLeniently(PublishedLayout.self).value
        }
        return (LayoutTable(layouts), last)
    }
}
