import EventLoop
import Feeds
import Items
import JSON
import Layout
import Postgres
import Publishing
import Resolve
import Security
import TestDatabase
import Values

/// A catalog with feeds and their sequencer.
struct Site {
    let connection: PostgresConnection

    /// Runs a body with a catalog that a script has filled, in the database of the test unless another one is given.
    static func run(
        _ script: String, in configuration: PostgresConfiguration? = nil, _ body: @escaping @Sendable (Site) async throws -> Void
    ) async throws {
        try await withConnection(configuration ?? ScratchDatabase.current.configuration) { connection in
            try await connection.runScript(
                "rows", CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;" + script, until: .soon)
            try await body(Site(connection: connection))
        }
    }

    func sequencer(
        maxTraced: Int = 20_000, maxEdits: Int = 10_000, maxImported: Int = 500, maxDue: Int = 8
    ) throws -> Sequencer {
        Sequencer(
            ruleTime: .seconds(30), timeForRules: .seconds(60), maxTraced: maxTraced, maxEdits: maxEdits, maxImported: maxImported,
            maxDue: maxDue, hashedBy: Digest.sha256)
    }

    func sql(_ script: String) async throws { try await connection.runScript("change", script, until: .soon) }

    func rows(_ sql: String) async throws -> [String] {
        try await connection.rows(of: PostgresQuery("rows", sql), as: String.self, until: .soon)
    }

    /// Saves a document of a feed and publishes it immediately.
    func publish(_ document: String, line: String = "main") async throws {
        let feed = try FeedDocument(parsing: Array(document.utf8))
        let query = PostgresQuery(
            "publish", "SELECT vitrine.publish($1::text, 'base', vitrine.save_revision($1, $2::text, $3::text))::text", feed.key.text, line,
            String(decoding: feed.canonical(), as: UTF8.self))
        _ = try await connection.rows(of: query, as: String.self, until: .soon)
    }

    var reader: PageReader {
        get throws {
            PageReader(PostgresSession(connection, within: .seconds(60)))
        }
    }

    /// Returns the item slugs of each section that a client sees in a storefront, in the order of a locale. A card has its key
    /// after `~`. By default, the client states nothing.
    func visibleItems(
        _ feed: String, in storefront: String = "us", _ locale: String = "en", to client: ClientFacts = .nothingSaid
    ) async throws -> [String: [String]] {
        guard let snapshot = try await reader.snapshot(of: StorefrontFeed(storefront: storefront, feed: feed)),
            let locale = LocaleTag(locale)
        else {
            return [:]
        }
        var facts = client
        (facts.storefront, facts.locale) = (.said(storefront), .said(locale.fallbacks.map(\.text)))
        var platform: String?
        if case .said(let stated) = facts.platform { platform = stated }
        return resolve(snapshot.edition(in: locale, on: platform), facts).sections.reduce(into: [:]) { printed, section in
            printed[section.id] = section.placements.map { placement in
                guard let item = placement.item else { return placement.id.split(separator: "/").last.map(String.init) ?? "?" }
                return UUID(item).flatMap { snapshot.items[$0]?.slug } ?? "?"
            }
        }
    }

    /// Returns the item slugs of each list in the storefront `us`, in English.
    func listedItems(_ feed: String) async throws -> [String: [String]] {
        guard let snapshot = try await reader.snapshot(of: StorefrontFeed(storefront: "us", feed: feed)) else { return [:] }
        return snapshot.sections.reduce(into: [:]) { printed, section in
            guard section.list != nil else { return }
            printed[section.published.id] = snapshot.list(of: section, in: .english).map { snapshot.items[$0.item]?.slug ?? "?" }
        }
    }

    /// Returns all documents with their versions.
    func published() async throws -> [String: Int] {
        let query = PostgresQuery(
            "published", "SELECT storefront || ' ' || kind || ' ' || id, version FROM vitrine.published WHERE document IS NOT NULL")
        return Dictionary(
            try await connection.rows(of: query, as: String.self, Int.self, until: .soon), uniquingKeysWith: { first, _ in first })
    }
}
