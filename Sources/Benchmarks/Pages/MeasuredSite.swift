import Foundation
import Host
internal import Postgres
import Settings

/// A generated catalog in a database, with a feed of ten shelves, each of a category.
struct MeasuredSite {
    static let path = "/v1/us/feeds/shelves?locale=en"

    let url: DatabaseURL
    /// The durations of import and publication: until the first page and until everything was published. nil if the site is a copy.
    let times: (imported: Duration, firstPage: Duration, published: Duration)?
    private let psql: PSQL

    /// Uses a database that already has a published catalog.
    init(copy url: DatabaseURL) {
        self.url = url
        psql = PSQL(url: url.exposed)
        times = nil
    }

    /// Imports that many items and publishes them with the feed, using one worker.
    init(_ url: DatabaseURL, count: Int, _ progress: ProgressLine) throws {
        let load = try GeneratedItems.with(url, count: count) { try CatalogLoad($0, of: count, url, progress) }
        try self.init(publishing: url, load, progress)
    }

    /// Publishes a catalog that was imported into the database, with the feed, using one worker.
    init(publishing url: DatabaseURL, _ load: CatalogLoad, _ progress: ProgressLine) throws {
        let site = MeasuredSite(copy: url)
        _ = try site.psql.time("VACUUM ANALYZE")
        progress.show("publication of the items")
        let (firstPage, published) = try site.publish()
        _ = try site.psql.time("VACUUM ANALYZE")
        self.url = url
        psql = site.psql
        times = (load.run.time + load.indexed, firstPage, published)
    }

    /// Publishes the feed. Returns the times until a worker that was started then has published the feed, and the whole import.
    private func publish() throws -> (firstPage: Duration, all: Duration) {
        let document = try Self.feed(of: categories())
        _ = try psql.time(
            "SELECT vitrine.publish('shelves', 'base', vitrine.save_revision('shelves', 'main', $feed$\(document)$feed$))")
        let start = ContinuousClock.now
        return try BuiltProgram(["worker"], url: url).run { _ in
            try wait(
                for: "SELECT EXISTS (SELECT FROM vitrine.published WHERE kind = 'feed' AND storefront = 'us' AND feed = 'shelves')",
                within: .longestStep, otherwise: "the feed is not published")
            let firstPage = start.duration(to: .now)
            try waitUntilPublished()
            return (firstPage, start.duration(to: .now))
        }
    }

    private func number(_ query: String) throws -> Double {
        let response = try text(query)
        guard let number = Double(response) else { throw BenchmarkFailure(reason: "\(query): \(response)") }
        return number
    }

    /// Waits until nothing is left to publish.
    func waitUntilPublished(within limit: Duration = .longestStep) throws {
        try wait(
            for: """
                SELECT version > 0 AND is_complete AND due_sections = 0 AND NOT EXISTS (SELECT FROM vitrine.sync_outbox)
                FROM vitrine.sync_head
                """,
            within: limit, otherwise: "the outbox is not empty")
    }

    /// Waits until a query returns true. It asks 20 times a second at first, and later after each hundredth of the time that has
    /// passed.
    private func wait(for query: String, within limit: Duration, otherwise failure: String) throws {
        let start = ContinuousClock.now
        while try text(query) != "t" {
            let elapsed = start.duration(to: .now)
            guard elapsed < limit else { throw BenchmarkFailure(reason: failure) }
            usleep(UInt32(max(.milliseconds(50), elapsed / 100) / .microseconds(1)))
        }
    }

    /// Waits until nothing has been published for three seconds. A new sequencer composes the sections whose rules had no time
    /// in the last one.
    func waitUntilSettled() throws {
        var (version, since) = (-1.0, ContinuousClock.now)
        for _ in 0..<600 {
            let now = try number("SELECT version FROM vitrine.sync_head")
            if now != version { (version, since) = (now, .now) }
            if since.duration(to: .now) >= .seconds(3) { return }
            usleep(200_000)
        }
        throw BenchmarkFailure(reason: "the feeds change again and again")
    }

    /// The tables that curators and imports write, without the indexes for lists and search.
    static let catalogTables = [
        "items", "top_apps", "food_apps", "item_texts", "item_categories", "item_availability", "item_prices", "item_price_periods",
        "item_images", "categories",
        "storefronts",
        "charts", "chart_entries",
    ]

    static let publishedTables = ["published", "availability_bounds"]

    /// Returns the size of the tables with their indexes, in mebibytes.
    func size(of tables: [String]) throws -> Double {
        try number("SELECT \(tables.map { "pg_total_relation_size('vitrine.\($0)')" }.joined(separator: " + "))") / 1_048_576
    }

    /// Returns the number of rows of the tables, as the last VACUUM counted or estimated them.
    func rows(of tables: [String]) throws -> Double {
        try number(
            "SELECT \(tables.map { "(SELECT reltuples FROM pg_class WHERE oid = 'vitrine.\($0)'::regclass)" }.joined(separator: " + "))")
    }

    /// Returns the size of the whole database, in mebibytes.
    func size() throws -> Double { try number("SELECT pg_database_size(current_database())") / 1_048_576 }

    private func categories() throws -> [String] {
        try text(
            "SELECT key FROM vitrine.categories ORDER BY (SELECT count(*) FROM vitrine.item_categories WHERE category = key) DESC LIMIT 10"
        )
        .split(separator: "\n").map(String.init)
    }

    private func text(_ query: String) throws -> String {
        let (text, status) = try ProcessLaunch("psql", ["-XAt", "-v", "ON_ERROR_STOP=1", "-d", url.exposed, "-c", query]).output(
            within: .longestStep)
        guard status.isSuccess else { throw BenchmarkFailure(reason: "psql: \(text)") }
        return text.trimmingCharacters(in: .newlines)
    }

    private static func feed(of categories: [String]) -> String {
        let shelves = categories.map { category in
            """
            {"key": "shelf-\(category)", "title": {"en": "\(category)"}, "layout": {"carousel": {"rows": 3}}, "cell": "appRow",
             "rule": {"category": "\(category)"}, "size": 20}
            """
        }
        return #"{"format": 2, "feed": "shelves", "title": {"en": "Shelves"}, "sections": [\#(shelves.joined(separator: ","))]}"#
    }
}
