import EventLoop
import Host
import Postgres
import Settings
internal import Values

/// An item of a shelf that is on the measured page only while it has the best rating. Its catalog is generated.
struct RatedItem {
    private let url: DatabaseURL
    private let client: PostgresClient
    private let id: UUID
    /// The external key of its line in the file.
    private let source: String

    init(_ site: MeasuredSite) throws {
        url = site.url
        client = try PostgresClient(url)
        let query = PostgresQuery(
            "hidden",
            """
            SELECT id, source
            FROM vitrine.items
            WHERE rating_count > 0 AND is_everywhere AND deleted_at IS NULL
                AND id IN (SELECT item_id FROM vitrine.item_platforms WHERE platform = 'ios')
                AND id IN (
                    SELECT item_id FROM vitrine.item_categories
                    WHERE category = (
                        SELECT substring(split_part(id, '/', 2) FROM length('shelf-') + 1)
                        FROM vitrine.published
                        WHERE kind = 'placement' AND storefront = 'us' AND feed = 'shelves' AND document IS NOT NULL
                        ORDER BY id LIMIT 1))
                AND NOT EXISTS (SELECT FROM vitrine.published WHERE kind = 'placement' AND item_id = items.id AND document IS NOT NULL)
            ORDER BY rating_count DESC, id LIMIT 1
            """)
        guard let item = try client.run({ try await $0.rows(of: query, as: UUID.self, String.self, until: .late) }).first else {
            throw BenchmarkFailure(reason: "all rated items are on the page")
        }
        (id, source) = item
    }

    func close() throws { try client.close() }

    /// Returns the environment in which `vitrine item set` edits items of a server.
    func environment(of server: VitrineServer) throws -> [String: String] {
        let name = "bench-\(UInt32.random(in: 0 ... .max))"
        let token = try BuiltProgram(["token", "create", "--name", name, "--scope", "admin"], url: url).run().output
        return SystemInfo.environment.filter { !$0.key.hasPrefix("VITRINE_") }.merging([
            "VITRINE_SERVER": server.url(""), "VITRINE_TOKEN": String(token.prefix { !$0.isNewline }),
        ]) { $1 }
    }

    /// Edits the rating through the API. Returns the delay from the end of the command until the server shows or omits the item.
    func time(isBest: Bool, on server: VitrineServer, _ environment: [String: String]) throws -> Duration {
        let rating = isBest ? ["rating.average=5", "rating.count=\(Self.manyRatings)"] : ["rating.average=1", "rating.count=1"]
        let set = ProcessLaunch(
            try VitrineServer.program(), ["item", "set", "\(id)"] + rating + ["--yes"], environment: environment)
        return try client.run { [id, port = server.port] pool in
            let poller = try await PagePoller(port: port, on: pool.loop)
            let (text, status) = try set.output(within: .seconds(60))
            guard status.isSuccess else { throw BenchmarkFailure(reason: "item set: \(text)") }
            let start = ContinuousClock.now
            try await poller.wait(on: pool.loop) { $0.contains("\(id)") == isBest }
            return start.duration(to: .now)
        }
    }

    /// Imports a file in which only the rating of this item differs from the catalog. Returns the time of the import, and the delay
    /// from its commit until a server shows or omits the item.
    func timesOfImport(isBest: Bool, _ file: String, on server: VitrineServer) throws -> (imported: Duration, shown: Duration) {
        let (average, count) = isBest ? (5, Self.manyRatings) : (1, 1)
        let change = ImportedChange(
            script: #"/"source":"\#(source)",/s/"rating":{[^}]*}/"rating":{"average":\#(average),"count":\#(count)}/"#,
            committed: PostgresQuery("committed", "SELECT rating_count = $2 FROM vitrine.items WHERE id = $1", id, count)
        ) { [id] in $0.contains("\(id)") == isBest }
        return try change.times(file, in: url, client, on: server)
    }

    /// More ratings than a generated item has. The number differs each time.
    private static var manyRatings: Int { Int.random(in: 500_000_000...600_000_000) }
}
