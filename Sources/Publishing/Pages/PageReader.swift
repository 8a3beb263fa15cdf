internal import Catalog
package import Feeds
package import Items
internal import JSON
package import Layout
package import Postgres
package import Values

package struct PageReader {
    private let session: PostgresSession

    package init(_ session: PostgresSession) {
        self.session = session
    }

    package struct Head: Sendable {
        /// The head of all published documents.
        package let published: PublishedHead
        /// The time by the clock of the database.
        package let time: Timestamp
        /// The time at which the next publication starts in each storefront with a scheduled one.
        package let nextBeginnings: [String: Timestamp]
        /// The time at which the clock changes each live feed, or nil if it never does.
        package let ends: [StorefrontFeed: Timestamp?]
    }

    /// Returns the current versions and times, without reading documents.
    package func head() async throws(PostgresError) -> Head {
        let results = try await session.run([
            PostgresQuery(PageQueries.head), PostgresQuery(PageQueries.ends), PostgresQuery(PageQueries.beginnings),
        ])
        guard
            let (version, isComplete, epoch, time) = try results[0].rows(as: Int.self, Bool.self, Int?.self, Timestamp.self).first
        else {
            throw PostgresError(.undecodable, "the sync head is missing", query: PageQueries.head.name.description)
        }
        let ends = try results[1].rows(as: String.self, String.self, Timestamp?.self).map { (StorefrontFeed(storefront: $0, feed: $1), $2) }
        let beginnings = try results[2].rows(as: String.self, Timestamp.self)
        return Head(
            published: PublishedHead(epoch: epoch, version: version, isComplete: isComplete), time: time,
            nextBeginnings: Dictionary(beginnings, uniquingKeysWith: { first, _ in first }),
            ends: Dictionary(ends, uniquingKeysWith: { first, _ in first }))
    }

    /// Returns the feeds that have changed since a version.
    package func touched(since version: Int) async throws(PostgresError) -> [StorefrontFeed] {
        try await session.rows(of: PostgresQuery(PageQueries.touched, version), as: String.self, String.self)
            .map { StorefrontFeed(storefront: $0, feed: $1) }
    }

    /// Returns the snapshot, or nil if the feed is not live in the storefront.
    package func snapshot(of storefrontFeed: StorefrontFeed) async throws -> FeedSnapshot? {
        var snapshots: [StorefrontFeed: FeedSnapshot] = [:]
        if let issue = try await read([storefrontFeed], into: &snapshots, since: 0).first { throw issue.error }
        return snapshots[storefrontFeed]
    }

    /// Reads snapshots again and removes those of feeds that are no longer live. Items of existing snapshots are read
    /// again only if they changed since the version of the snapshots. Unreadable snapshots are kept and reported.
    package func read(
        _ storefrontFeeds: some Collection<StorefrontFeed>, into snapshots: inout [StorefrontFeed: FeedSnapshot], since version: Int
    ) async throws(PostgresError) -> [UnreadablePublication] {
        var known = ItemCache(snapshots.values)
        var issues: [UnreadablePublication] = []
        for chunk in Array(storefrontFeeds).chunks(of: 50) {
            let (storefronts, feeds) = (chunk.map(\.storefront), chunk.map(\.feed))
            let results = try await session.run([
                PostgresQuery(PageQueries.parts, storefronts, feeds), PostgresQuery(PageQueries.versions, storefronts, feeds),
                PostgresQuery(PageQueries.items, storefronts, feeds, known.isEmpty ? 0 : version),
            ])
            let missing = try known.receive(results[2].rows(as: UUID.self, Int.self, JSONBytes?.self))
            if !missing.isEmpty {
                let rows = try await session.rows(
                    of: PostgresQuery(PageQueries.someItems, missing), as: UUID.self, Int.self, JSONBytes?.self)
                _ = known.receive(rows)
            }
            let parts = try Self.parts(results[0], of: chunk.count)
            let newest = try Dictionary(
                results[1].rows(as: String.self, String.self, Int.self).map { (StorefrontFeed(storefront: $0, feed: $1), $2) },
                uniquingKeysWith: { $1 })
            for (storefrontFeed, parts) in zip(chunk, parts) {
                do throws(JSONError) {
                    snapshots[storefrontFeed] = try FeedSnapshot(
                        storefrontFeed.storefront, parts: parts, items: known.items, newest: newest[storefrontFeed] ?? 0)
                } catch {
                    issues.append(UnreadablePublication(what: "\(storefrontFeed.feed) in \(storefrontFeed.storefront)", error: error))
                }
            }
        }
        return issues + known.issues
    }

    /// Returns the parts of each feed, in the order of the feeds.
    static func parts(_ result: PostgresResult, of count: Int) throws(PostgresError) -> [[FeedSnapshot.Part]] {
        var parts: [[FeedSnapshot.Part]] = Array(repeating: [], count: count)
        for (index, kind, id, version, document, validUntil) in try result.rows(
            as: Int.self, String.self, String.self, Int.self, JSONBytes.self, Timestamp?.self)
        {
            guard parts.indices.contains(index - 1), let kind = PublishedKind(rawValue: kind) else { continue }
            parts[index - 1].append(
                FeedSnapshot.Part(kind: kind, id: id, version: version, document: document.bytes, validUntil: validUntil))
        }
        return parts
    }

    /// A storefront with the document that it was read from.
    package struct ReadStorefront: Sendable {
        package let storefront: Storefront
        /// The document, or nil if it was unreadable, so that the storefront is that of the catalog.
        fileprivate let document: JSONBytes?
    }

    /// Returns the open storefronts by key, as they are published, or the current ones before that. Those with the
    /// document of a known one are not decoded again, because a server reads them several times a second. The next leader
    /// publishes an unreadable one again.
    package func storefronts(_ known: [String: ReadStorefront]) async throws(PostgresError) -> [String: ReadStorefront] {
        var storefronts: [String: ReadStorefront] = [:]
        for (key, document) in try await session.rows(of: PostgresQuery(PageQueries.storefronts), as: String.self, JSONBytes.self) {
            if let present = known[key], present.document == document {
                storefronts[key] = present
                continue
            }
            do throws(JSONError) {
                let published = try PublishedStorefront(version: 0, document: document.bytes)
                storefronts[key] = ReadStorefront(storefront: published.storefront, document: document)
            } catch {
                guard let current = try await CatalogReader(at: .epoch, session).storefront(key) else { continue }
                storefronts[key] = ReadStorefront(storefront: current, document: nil)
            }
        }
        return storefronts
    }

    /// Returns the layouts that were published after a version, and the version of the last one. Unreadable layouts are
    /// omitted and reported.
    package func layouts(
        since version: Int
    ) async throws(PostgresError) -> (table: LayoutTable, version: Int, issues: [UnreadablePublication]) {
        var layouts: [LayoutID: PublishedLayout] = [:]
        var last = version
        var issues: [UnreadablePublication] = []
        for (id, version, document) in try await session.rows(
            of: PostgresQuery(PageQueries.layouts, version), as: String.self, Int.self, JSONBytes.self)
        {
            last = version
            guard let id = LayoutID(id) else { continue }
            do throws(JSONError) {
                layouts[id] = try JSONDocument(parsing: document.bytes, limits: .ownOutput).decodeLeniently(PublishedLayout.self).value
            } catch {
                issues.append(UnreadablePublication(what: "layout \(id)", error: error))
            }
        }
        return (LayoutTable(layouts), last, issues)
    }
}

/// The items of snapshots, which avoids decoding unchanged items again.
struct ItemCache {
    private(set) var items: [UUID: Item] = [:]
    private(set) var issues: [UnreadablePublication] = []

    init(_ snapshots: some Sequence<FeedSnapshot>) {
        for snapshot in snapshots { items.merge(snapshot.items) { $0.version < $1.version ? $1 : $0 } }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Stores the items that were read. Returns the IDs whose published version is unknown and whose document was not
    /// read.
    mutating func receive(_ rows: [(id: UUID, version: Int, document: JSONBytes?)]) -> [UUID] {
        var missing: [UUID] = []
        for (id, version, document) in rows {
            guard let document else {
                if items[id]?.version != version { missing.append(id) }
                continue
            }
            do throws(JSONError) {
                items[id] = try Item(version: version, document: document.bytes)
            } catch {
                issues.append(UnreadablePublication(what: "item \(id)", error: error))
            }
        }
        return missing
    }
}

enum PageQueries {
    static let head = NamedQuery("pages.head")
    static let beginnings = NamedQuery("pages.beginnings")
    static let ends = NamedQuery("pages.ends")
    static let touched = NamedQuery("pages.touched")
    static let storefronts = NamedQuery("pages.storefronts")
    static let parts = NamedQuery("pages.parts")
    static let versions = NamedQuery("pages.versions")
    static let items = NamedQuery("pages.items")
    static let someItems = NamedQuery("pages.some_items")
    static let layouts = NamedQuery("pages.layouts")
}
