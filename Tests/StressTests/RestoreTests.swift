import EventLoop
import Host
import TestDatabase
import TestSupport
import Testing
import VitrineClient

/// A database that is dumped, changed and restored while servers and clients use it.
@Suite("A restored database", .onOwnThread) struct RestoreTests {
    private static let feed =
        #"{"key": "a", "title": {"en": "A"}, "layout": {"list": {}}, "cell": "row", "rule": {"kind": "topApp"}, "sort": "-rating", "size": 12}"#
    private static let catalog = CopyScope(storefront: "us", locale: "en")
    private static let games = CopyScope(storefront: "us", feeds: ["games"], locale: "en")

    @Test(
        "Exactly the cursors that are ahead of the restored database expire, and every client ends with its current data",
        arguments: StressDatabase.Restore.allCases)
    func restore(way: StressDatabase.Restore) async throws {
        let database = try StressDatabase()
        defer { do { try database.remove() } catch { Issue.record(error) } }
        let folder = try TemporaryFolder("restore")
        let site = StressSite(url: try database.url, folder: folder.path, settings: .drawn(from: Seeds.fresh))
        try FleetProcess.migrate(site)
        try database.run(StressSite.rows, in: folder.path)
        try database.send(site.publication(of: "games", Self.feed))
        let server = try FleetProcess(
            ["serve", "--listen", "127.0.0.1:0"], site.variables, log: "\(folder.path)/serve.log")
        let crowd = try RestoredCrowd(database, port: server.port)
        let early = ["early catalog": Self.catalog, "early feed": Self.games]
        let late = ["late catalog": Self.catalog, "late feed": Self.games, "late catalog of de": CopyScope(storefront: "de", locale: "de")]

        for (name, scope) in early { try await crowd.follow(name, scope) }
        let dump = "\(folder.path)/dump"
        try database.dump(to: dump)
        let head = try await crowd.head()
        try database.send("UPDATE items SET rating_count = 100 WHERE slug LIKE 'item-1%'")
        try database.send("DELETE FROM items WHERE slug IN ('item-20', 'item-21')")
        try database.send("SELECT pg_temp.top_app('lost', '{\"en\": \"Lost\"}', '{games}', 5, 9)", with: CatalogRows.functions)
        for (name, scope) in late { try await crowd.follow(name, scope) }
        let lost = try await crowd.head()
        #expect(lost > head + 40)

        try database.restore(way, from: dump)
        // Changes beyond the old head, so that its versions are assigned again. Some deleted, changed and new items are not touched.
        try database.send("UPDATE items SET rating_count = 200 WHERE slug LIKE 'item-%' AND slug NOT LIKE 'item-11%' AND slug <> 'item-20'")
        #expect(try await crowd.head() > lost)
        for (name, scope) in early {
            try await crowd.follow(name, scope)
            #expect(crowd.expiries(of: name) == 0, "\(site.settings)")
        }
        for (name, scope) in late {
            try await crowd.follow(name, scope)
            #expect(crowd.expiries(of: name) == 1, "\(site.settings)")
        }
        #expect(crowd.violations.isEmpty, "\(site.settings): \(crowd.violations)")
        try await crowd.stop()
        try server.stop()
    }
}

/// The clients by name, each of which stops when it is up to date.
private final class RestoredCrowd {
    private let database: StressDatabase
    private let port: Int
    private let loop: EventLoop
    private var clients: [String: (client: StressClient, outcome: StressOutcome)] = [:]

    init(_ database: StressDatabase, port: Int) throws {
        self.database = database
        self.port = port
        loop = try EventLoop(name: "restored")
    }

    var violations: [StressOutcome.Violation] { clients.values.flatMap(\.outcome.violations) }

    func expiries(of name: String) -> Int { clients[name]?.outcome.count(of: "expired cursors") ?? 0 }

    /// Returns the head once everything is published.
    func head() async throws -> Int {
        let deadline = Deadline.soon
        let isPublished = "SELECT version > 0 AND is_complete AND due_sections = 0 AND NOT EXISTS (SELECT FROM sync_outbox) FROM sync_head"
        while try !database.send(isPublished).hasPrefix("t") {
            try #require(deadline > .now)
            _ = Signal.next(of: [], within: .milliseconds(20))
        }
        return try #require(Int(try database.send("SELECT version FROM sync_head").filter(\.isNumber)))
    }

    /// Lets a client catch up, and expects that it has the current data.
    func follow(_ name: String, _ scope: CopyScope) async throws {
        let head = try await head()
        let outcome = clients[name]?.outcome ?? StressOutcome()
        let known =
            clients[name]?.client ?? StressClient(scope, asking: Asker(outcome) { [port] in [port] }, isSteady: true, seed: 0, outcome)
        let client = try await Task(executorPreference: loop) { [loop] in
            var client = known
            outcome.expect(try await client.settle(at: head, on: loop, until: .soon), .converges, "\(scope) does not get to \(head)")
            return client
        }.value
        clients[name] = (client, outcome)
        let lines = try database.send(ExpectedScope.query(storefront: scope.storefront, feeds: scope.feeds)).split(separator: "\n").map(
            String.init)
        let found = client.follower.copy.entries.compactMap { key, entry in entry.content.map { "\(key) \($0.hash)" } }
        #expect(Set(found) == Set(lines) && !found.isEmpty, "\(name)")
    }

    func stop() async throws { await loop.stop() }
}
