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
    }

    /// The version from which a refresh starts.
    package struct Start: Sendable {
        package let version: Int
        package let layoutVersion: Int
        /// The number of the last change of an end that was read.
        package let endNumber: Int
        /// The maximum number of versions whose affected feeds are looked up. With more, reading all feeds is faster.
        package let maxTraced: Int

        package init(version: Int, layoutVersion: Int, endNumber: Int, maxTraced: Int) {
            self.version = version
            self.layoutVersion = layoutVersion
            self.endNumber = endNumber
            self.maxTraced = maxTraced
        }
    }

    /// The results of the first round trip of a refresh.
    package struct Opening: Sendable {
        package let head: Head
        package let storefronts: [String: ReadStorefront]
        /// The platforms that clients can have, sorted by key.
        package let platforms: [String]
        /// The layouts that were published since the start.
        package let layouts: Layouts
        /// The feeds whose next change by the clock is another one since the start, each with its time, or nil if the clock never changes
        /// it or the feed is no longer published.
        package let ends: [StorefrontFeed: Timestamp?]
        /// The number of the last of these changes, or of the start.
        package let endNumber: Int
        /// The feeds that have changed since the start, each with whether more than its items changed. Nil if there are too many
        /// versions.
        package let touched: [StorefrontFeed: Bool]?
        /// The items of feeds that have changed since the start. Empty if there are too many versions.
        package let items: [UUID: Item]
        /// The unreadable items among them.
        package let issues: [UnreadablePublication]
    }

    private static let headQueries = [PostgresQuery(PageQueries.head), PostgresQuery(PageQueries.beginnings)]

    /// Returns the queries of a refresh that no other result decides about, so that they take one round trip.
    package static func openingQueries(since start: Start) -> [PostgresQuery] {
        headQueries + [
            PostgresQuery(PageQueries.storefronts), PostgresQuery(RuleQueries.platforms),
            PostgresQuery(PageQueries.layouts, start.layoutVersion),
            PostgresQuery(PageQueries.touched, start.version, start.maxTraced),
            PostgresQuery(PageQueries.changedItems, start.version, start.maxTraced),
            PostgresQuery(PageQueries.ends, start.endNumber),
        ]
    }

    /// Returns the head in the results of the opening queries.
    package static func head(in opened: [PostgresResult]) throws(PostgresError) -> Head { try Head(opened) }

    /// Returns the results of the opening queries. `known` are the storefronts that were read before.
    package func opening(
        _ opened: [PostgresResult], since start: Start, _ known: [String: ReadStorefront]
    ) async throws(PostgresError) -> Opening {
        let head = try Head(opened)
        let isTraced = head.published.version - start.version <= start.maxTraced
        let touched = try opened[5].rows(as: String.self, String.self, Bool.self).map { (StorefrontFeed(storefront: $0, feed: $1), $2) }
        var items = ItemCache([])
        _ = try items.receive(opened[6])
        let ends = try opened[7].rows(as: String.self, String.self, Timestamp?.self, Int.self).map {
            (feed: StorefrontFeed(storefront: $0, feed: $1), time: $2, number: $3)
        }
        return Opening(
            head: head, storefronts: try await storefronts(in: opened[2], known),
            platforms: try opened[3].rows(as: String.self, Bool.self).map(\.0),
            layouts: try Self.layouts(in: opened[4], since: start.layoutVersion),
            ends: Dictionary(ends.map { ($0.feed, $0.time) }, uniquingKeysWith: { first, _ in first }),
            endNumber: ends.map(\.number).max() ?? start.endNumber,
            touched: isTraced ? Dictionary(touched, uniquingKeysWith: { $0 || $1 }) : nil, items: items.items, issues: items.issues)
    }

    /// Returns the current versions and times, without reading documents.
    package func head() async throws(PostgresError) -> Head { try Head(try await session.run(Self.headQueries)) }

    /// Returns all live feeds.
    package func feeds() async throws(PostgresError) -> [StorefrontFeed] {
        try await session.rows(of: PostgresQuery(PageQueries.feeds), as: String.self, String.self).map {
            StorefrontFeed(storefront: $0.0, feed: $0.1)
        }
    }

    /// Returns the feeds that have changed since a version.
    package func touched(since version: Int) async throws(PostgresError) -> [StorefrontFeed] {
        try await session.rows(of: PostgresQuery(PageQueries.touched, version, Int(Int32.max)), as: String.self, String.self, Bool.self)
            .map { StorefrontFeed(storefront: $0.0, feed: $0.1) }
    }
}

extension PageReader.Head {
    fileprivate init(_ results: [PostgresResult]) throws(PostgresError) {
        guard
            let (version, isComplete, epoch, time) = try results[0].rows(as: Int.self, Bool.self, Int?.self, Timestamp.self).first
        else {
            throw PostgresError(.undecodable, "the sync head is missing", query: PageQueries.head.name.description)
        }
        let beginnings = try results[1].rows(as: String.self, Timestamp.self)
        self.init(
            published: PublishedHead(epoch: epoch, version: version, isComplete: isComplete), time: time,
            nextBeginnings: Dictionary(beginnings, uniquingKeysWith: { first, _ in first }))
    }
}

extension PageReader {
    /// Returns the snapshot, or nil if the feed is not live in the storefront.
    package func snapshot(of storefrontFeed: StorefrontFeed) async throws -> FeedSnapshot? {
        var snapshots: [StorefrontFeed: FeedSnapshot] = [:]
        if let issue = try await read([storefrontFeed], into: &snapshots, since: 0).first { throw issue.error }
        return snapshots[storefrontFeed]
    }

    /// Reads snapshots again and removes those of feeds that are no longer live. Items of these snapshots, and `items`, are read
    /// again only if they changed since the version. Unreadable snapshots are kept and reported.
    package func read(
        _ storefrontFeeds: some Collection<StorefrontFeed>, into snapshots: inout [StorefrontFeed: FeedSnapshot], since version: Int,
        _ items: [UUID: Item] = [:]
    ) async throws(PostgresError) -> [UnreadablePublication] {
        // The items of other feeds are too many to look at for a change of one.
        var known = ItemCache(storefrontFeeds.compactMap { snapshots[$0] })
        let version = known.isEmpty ? 0 : version
        known.add(items)
        var issues: [UnreadablePublication] = []
        for chunk in Array(storefrontFeeds).chunks(of: 50) {
            let (storefronts, feeds) = (chunk.map(\.storefront), chunk.map(\.feed))
            let results = try await session.run([
                PostgresQuery(PageQueries.parts, storefronts, feeds), PostgresQuery(PageQueries.versions, storefronts, feeds),
            ])
            async let found = found(PostgresQuery(PageQueries.items, storefronts, feeds, version))
            // The database finds the items while the parts are read here, which takes as long.
            await Task.yield()
            let contents = try Self.parts(results[0], of: chunk.count).map { parts in
                Result { () throws(JSONError) in try FeedSnapshot.Content(parts) }
            }
            let newest = try Dictionary(
                results[1].rows(as: String.self, String.self, Int.self).map { (StorefrontFeed(storefront: $0, feed: $1), $2) },
                uniquingKeysWith: { $1 })
            let missing = try known.receive(try await found.get())
            if !missing.isEmpty { _ = try known.receive(try await session.run(PostgresQuery(PageQueries.someItems, missing))) }
            for (storefrontFeed, content) in zip(chunk, contents) {
                do throws(JSONError) {
                    snapshots[storefrontFeed] = try content.get().map {
                        FeedSnapshot(storefrontFeed.storefront, $0, items: known.items, newest: newest[storefrontFeed] ?? 0)
                    }
                } catch {
                    let what = "\(storefrontFeed.feed) in \(storefrontFeed.storefront)"
                    issues.append(UnreadablePublication(what: what, error: error, of: storefrontFeed))
                }
            }
        }
        return issues + known.issues
    }

    private func found(_ query: PostgresQuery) async -> Result<PostgresResult, PostgresError> {
        do throws(PostgresError) {
            return .success(try await session.run(query))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the parts of each feed, in the order of the feeds.
    static func parts(_ result: PostgresResult, of count: Int) throws(PostgresError) -> [[FeedSnapshot.Part]] {
        var parts: [[FeedSnapshot.Part]] = Array(repeating: [], count: count)
        for row in try result.rows(ofColumns: 6) {
            let index = try row.integer(at: 0)
            guard parts.indices.contains(index - 1), let kind = PublishedKind(rawValue: try row.text(at: 1)) else { continue }
            // The clock changes a feed as a whole.
            let validUntil = kind == .feed ? try row.value(at: 5, as: Timestamp?.self) : nil
            parts[index - 1].append(
                FeedSnapshot.Part(
                    kind: kind, id: try row.text(at: 2), version: try row.integer(at: 3), document: try row.json(at: 4),
                    validUntil: validUntil))
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
    private func storefronts(
        in result: PostgresResult, _ known: [String: ReadStorefront]
    ) async throws(PostgresError) -> [String: ReadStorefront] {
        var storefronts: [String: ReadStorefront] = [:]
        for (key, document) in try result.rows(as: String.self, JSONBytes.self) {
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

    /// The layouts that were published after a version, and the version of the last one. Unreadable layouts are omitted and
    /// reported.
    package typealias Layouts = (table: LayoutTable, version: Int, issues: [UnreadablePublication])

    package func layouts(since version: Int) async throws(PostgresError) -> Layouts {
        try Self.layouts(in: try await session.run(PostgresQuery(PageQueries.layouts, version)), since: version)
    }

    private static func layouts(in result: PostgresResult, since version: Int) throws(PostgresError) -> Layouts {
        var layouts: [LayoutID: PublishedLayout] = [:]
        var last = version
        var issues: [UnreadablePublication] = []
        for (id, version, document) in try result.rows(as: String.self, Int.self, JSONBytes.self) {
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
        for snapshot in snapshots { add(snapshot.items) }
    }

    var isEmpty: Bool { items.isEmpty }

    /// Adds items, unless newer ones are known.
    mutating func add(_ others: [UUID: Item]) { items.merge(others) { $0.version < $1.version ? $1 : $0 } }

    /// Stores the items in rows with ID, version and document. Returns the IDs whose published version is unknown and whose
    /// document was not read.
    mutating func receive(_ result: PostgresResult) throws(PostgresError) -> [UUID] {
        let rows = try result.rows(ofColumns: 3)
        items.reserveCapacity(rows.count)
        var missing: [UUID] = []
        for row in rows {
            let (id, version) = (try row.uuid(at: 0), try row.integer(at: 1))
            guard items[id]?.version != version else { continue }
            guard let document = try row.optionalJSON(at: 2) else {
                missing.append(id)
                continue
            }
            do throws(JSONError) {
                items[id] = try Item(version: version, document: document)
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
    static let feeds = NamedQuery("pages.feeds")
    static let ends = NamedQuery("pages.ends")
    static let touched = NamedQuery("pages.touched")
    static let changedItems = NamedQuery("pages.changed_items")
    static let storefronts = NamedQuery("pages.storefronts")
    static let parts = NamedQuery("pages.parts")
    static let versions = NamedQuery("pages.versions")
    static let items = NamedQuery("pages.items")
    static let someItems = NamedQuery("pages.some_items")
    static let layouts = NamedQuery("pages.layouts")
}
