import EventLoop
import Glibc
import Host
import Postgres
import Settings
internal import Values

/// An item on the measured page that is edited repeatedly. Its catalog is generated.
struct EditedItem {
    private static let edit = "UPDATE vitrine.item_texts SET title = $2 WHERE item_id = $1 AND locale = 'en'"

    private let url: DatabaseURL
    private let client: PostgresClient
    private let id: UUID
    /// The external key of its line in the file.
    private let source: String

    init(_ site: MeasuredSite) throws {
        url = site.url
        client = try PostgresClient(url)
        let query = PostgresQuery(
            "shown",
            """
            SELECT item_id, source
            FROM vitrine.published JOIN vitrine.item_texts USING (item_id) JOIN vitrine.items ON items.id = item_id
            WHERE published.kind = 'placement' AND storefront = 'us' AND feed = 'shelves' AND document IS NOT NULL AND locale = 'en'
            ORDER BY document ->> 'order' LIMIT 1
            """)
        guard let item = try client.run({ try await $0.rows(of: query, as: UUID.self, String.self, until: .late) }).first else {
            throw BenchmarkFailure(reason: "the feed has no published items")
        }
        (id, source) = item
    }

    func close() throws { try client.close() }

    /// Returns the delays from each commit until all servers show it, in their order.
    func times(_ count: Int, on servers: [VitrineServer]) throws -> [Duration] {
        try (0..<count).map { number in
            // The pauses vary so that they are not synchronized with periodic polling. A leader that has published nothing for a
            // second inspects the outbox less often, so some edits wait for that.
            usleep(number % 20 == 19 ? 1_100_000 : UInt32(20_000 + 7_000 * (number % 13)))
            return try time(on: servers)
        }
    }

    /// Returns the delay from a commit until all servers show it.
    func time(on servers: [VitrineServer]) throws -> Duration {
        let title = Self.newTitle
        return try client.run { [id, ports = servers.map(\.port)] pool in
            var pollers: [PagePoller] = []
            for port in ports { pollers.append(try await PagePoller(port: port, on: pool.loop)) }
            for poller in pollers { _ = try await poller.newPage() }
            try await pool.run(PostgresQuery("edit", Self.edit, id, title), until: .late)
            let start = ContinuousClock.now
            for poller in pollers { try await poller.wait(for: title, on: pool.loop) }
            return start.duration(to: .now)
        }
    }

    /// Imports a file in which only the title of this item differs from the catalog. Returns the time of the import with its wait for
    /// lists and searches, and the delay from its commit until a server shows the title.
    func timesOfImport(_ file: String, on server: VitrineServer) throws -> (imported: Duration, shown: Duration) {
        let title = Self.newTitle
        let change = ImportedChange(
            script: #"/"source":"\#(source)",/s/"title":{"en":"[^"]*"/"title":{"en":"\#(title)"/"#,
            committed: PostgresQuery(
                "committed", "SELECT title = $2 FROM vitrine.item_texts WHERE item_id = $1 AND locale = 'en'", id, title)
        ) { $0.contains(title) }
        return try change.times(file, in: url, client, on: server)
    }

    private static var newTitle: String { "Edited \(UInt32.random(in: 0 ... .max))" }

    /// Returns the delay from the start of a scheduled takeover, by the clock of the database, to the first page that
    /// shows it. Negative if the page is early.
    func timeOfSwitch(_ number: Int, on server: VitrineServer) throws -> Duration {
        let plan = PostgresQuery(
            "plan",
            """
            WITH plan AS (SELECT clock_timestamp() + interval '1500 ms' AS start_time)
            SELECT (extract(epoch FROM start_time) * 1000000)::bigint FROM plan, LATERAL vitrine.publish(
                'shelves', 'takeover', vitrine.save_revision('shelves', 'taken', (
                    SELECT replace(document, '"Shelves"', '"Taken \(number)"') FROM vitrine.revisions
                    WHERE feed = 'shelves' AND line = 'main' ORDER BY number DESC LIMIT 1)),
                vitrine.instant_text(start_time), vitrine.instant_text(start_time + interval '1 s'))
            """, isPrepared: false)
        return try client.run { [port = server.port] pool in
            let poller = try await PagePoller(port: port, on: pool.loop)
            guard let time = try await pool.rows(of: plan, as: Int.self, until: .late).first else {
                throw BenchmarkFailure(reason: "no takeover was scheduled")
            }
            try await poller.wait(for: "\"Taken \(number)\"", on: pool.loop)
            let visible = SystemInfo.wallClock
            try await poller.wait(for: "\"Shelves\"", on: pool.loop)
            return .microseconds(visible - time)
        }
    }
}
