import Artwork
import Catalog
import Feeds
import Host
import Items
import Postgres
import Publishing
import Settings
import Values

/// A page without any cached part: read in two round trips, of which the second one reads the items, decoded and rendered.
enum ColdPage {
    static func rows(_ site: MeasuredSite) throws -> [BenchmarkRow] {
        let client = try PostgresClient(site.url)
        let storefrontFeed = StorefrontFeed(storefront: "us", feed: "shelves")
        let (storefront, layouts) = try client.run { pool in
            let session = PostgresSession(pool, within: .seconds(600))
            let storefronts = try await CatalogReader(at: .epoch, session).storefronts()
            let table = try await PageReader(session).layouts(since: 0).table
            return (storefronts.first { $0.key == storefrontFeed.storefront }, ServedLayouts(table))
        }
        guard let storefront else { throw BenchmarkFailure(reason: "there is no storefront \(storefrontFeed.storefront)") }
        let locales = LocaleFallback(storefront.defaultLocale, in: storefront)
        let context = PageContext(storefront, locales)
        let bare = try BlockingConnection(url: site.url.exposed)
        for query in [NamedQuery("pages.parts"), NamedQuery("pages.versions"), NamedQuery("pages.items")] {
            try bare.prepare(query.name.description, query.text)
        }
        // The placeholder of an item without a picture depends only on its ID. A server keeps it as long as it runs.
        let known = Locked<[Artwork: Placeholder]>([:])
        let placeholder: @Sendable (Artwork) -> Placeholder = { artwork in
            if let placeholder = known.withLock({ $0[artwork] }) { return placeholder }
            let placeholder = artwork.placeholder
            known.withLock { $0[artwork] = placeholder }
            return placeholder
        }
        let times = try InterleavedRuns(rounds: 21, calls: 2) {
            let size = try client.run { pool in
                let reader = PageReader(PostgresSession(pool, within: .seconds(600)))
                guard let snapshot = try await reader.snapshot(of: storefrontFeed) else {
                    throw BenchmarkFailure(reason: "the feed has no published items")
                }
                return try PageRenderer(snapshot, layouts, context, placeholder: placeholder) { section, _ in section.published.id }.page()
                    .count
            }
            guard size > 10_000 else { throw BenchmarkFailure(reason: "a page of \(size) bytes") }
        } theirs: {
            let requested = ["{\(storefrontFeed.storefront)}", "{\(storefrontFeed.feed)}"]
            for name in ["pages.parts", "pages.versions"] { try bare.fetch(name, requested) }
            try bare.fetch("pages.items", requested + ["0"])
        }
        try client.close()
        return [
            BenchmarkRow(
                what: "pages: 10 sections, 200 items, read and written for the first time", measured: times.ours.inMilliseconds,
                against: ("only its queries", times.theirs.inMilliseconds), bar: .ratioAtLeast(1 / 1.5))
        ]
    }
}
