import Catalog
import Feeds
import Host
import Items
import JSON
import Postgres
import Publishing
import Security
import Settings
import Values

/// The sample catalog in a database of its own, with the feeds that a preview composes.
struct ComposedSample {
    private let client: PostgresClient
    private let documents: [FeedDocument]
    private let contexts: [PageContext]

    /// Loads the sample and serves only the given platforms.
    init(_ url: DatabaseURL, serving platforms: [String], _ progress: ProgressLine) throws {
        progress.show("the sample catalog with \(platforms.count) platforms")
        try BuiltProgram(["db", "migrate"], url: url).run()
        try BuiltProgram(["db", "sample"], url: url).run()
        let client = try PostgresClient(url)
        let served = platforms.map { "'\($0)'" }.joined(separator: ", ")
        try client.run("UPDATE vitrine.platforms SET is_served = key = ANY (ARRAY[\(served)]::text[])")
        // A worker indexes the items for the platforms.
        try BuiltProgram(["worker"], url: url).run { _ in try MeasuredSite(copy: url).waitUntilPublished() }
        try client.run("VACUUM ANALYZE")
        self.client = client
        (documents, contexts) = try client.run { pool in
            let session = PostgresSession(pool, within: .seconds(60))
            let store = FeedStore(session)
            var documents: [FeedDocument] = []
            for feed in try await store.feeds() {
                guard let key = FeedKey(feed.key), let draft = feed.draft else { continue }
                documents.append(try FeedDocument(parsing: try await store.revision(draft, of: key).document))
            }
            let catalog = CatalogReader(at: try await store.now(), session)
            let contexts = try await catalog.storefronts().map { PageContext($0, LocaleFallback($0.defaultLocale, in: $0)) }
            return (documents, contexts)
        }
    }

    /// Composes each feed in all storefronts like a preview, and renders a page for each storefront.
    func compose() throws {
        try client.run { [documents, contexts] pool in
            let session = PostgresSession(pool, within: .seconds(60))
            try await session.transaction(TransactionOptions(isolation: .repeatableRead, isReadOnly: true)) { session in
                let composer = PreviewComposer(ruleTime: .seconds(60), hashedBy: Digest.sha256, session)
                var items: [UUID: Item] = [:]
                for document in documents {
                    keep(try await composer.pages(of: document, revision: 1, for: contexts, with: &items))
                }
            }
        }
    }

    func close() throws { try client.close() }
}
