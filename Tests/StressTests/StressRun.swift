import EventLoop
import Feeds
import Host
import JSON
import TestDatabase
import TestSupport
import VitrineClient

/// A period with writers, clients and failures, and then a check that every client has the current data.
struct StressRun {
    /// The maximum delay of the steady client.
    private static let probeWait = Duration.milliseconds(250)

    let settings: StressSettings
    /// The duration of the failures. On a busy machine, they continue for up to four times as long, until `enough` has happened.
    let duration: Duration
    var enough: [String: Int] = [:]
    var isNaive = false
    /// The time within which a committed change must be visible.
    let timeout: Duration
    let outcome = StressOutcome()

    private static let scopes = [
        CopyScope(storefront: "us", locale: "en"), CopyScope(storefront: "de", locale: "de"),
        CopyScope(storefront: "us", feeds: ["games"], locale: "en"), CopyScope(storefront: "us", feeds: ["games", "today"], locale: "es"),
        CopyScope(storefront: "de", feeds: ["today"], locale: "en"), CopyScope(storefront: "us", locale: "es"),
    ]

    /// Runs the test on a long-lived thread, because the processes that it starts end with the thread.
    func run() async throws {
        let database = try StressDatabase()
        defer { do { try database.remove() } catch { outcome.violate(.orderly, "\(error)") } }
        let folder = try TemporaryFolder("stress")
        let site = StressSite(url: try database.url, folder: folder.path, settings: settings)
        try FleetProcess.migrate(site)
        try database.run(StressSite.rows, in: folder.path)
        if isNaive { try database.run(NaiveNumbering.script, in: folder.path) }
        let chaos = try Chaos(site, database, hasWorkers: !isNaive, seed: settings.seed, outcome)
        let crowd = try StressCrowd(
            self, site, chaos.weather, scopes: isNaive ? Array(Self.scopes.prefix(1)) + [Self.scopes[5]] : Self.scopes)
        let (end, latest) = (ContinuousClock.now + duration, ContinuousClock.now + duration * 4)
        var random = SeededRandom(seed: settings.seed)
        while ContinuousClock.now < end || !hasEnough && ContinuousClock.now < latest {
            // Long enough for a period without failures.
            _ = Signal.next(of: [], within: .milliseconds(Int.random(in: 500...4_000, using: &random)))
            if !isNaive { try chaos.strike() }
        }
        await crowd.endWriting()
        if isNaive {
            try NaiveNumbering.commitLate(database, after: crowd)
        } else {
            _ = try database.send(StressSite.settledSchedule)
            try waitUntilPublished(database)
        }
        let head = Int(try database.send("SELECT version FROM sync_head").filter(\.isNumber)) ?? 0
        for client in await crowd.settle(at: head) { try compare(client, database) }
        try chaos.stop()
    }

    /// Whether everything of `enough` has happened as often.
    private var hasEnough: Bool { enough.allSatisfy { outcome.count(of: $0.key) >= $0.value } }

    private func waitUntilPublished(_ database: StressDatabase) throws {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let isIdle = "SELECT is_complete AND due_sections = 0 AND NOT EXISTS (SELECT FROM sync_outbox) FROM sync_head"
            if try database.send(isIdle).hasPrefix("t") { return }
            _ = Signal.next(of: [], within: .milliseconds(50))
        }
        outcome.violate(.fresh, "there is still something to publish")
    }

    /// Checks CONV, TOMB, REPLAY and SCOPE: at rest, a client has the data of the database, whatever happened before.
    private func compare(_ client: StressClient, _ database: StressDatabase) throws {
        outcome.count("comparisons")
        let lines = try database.send(ExpectedScope.query(storefront: client.scope.storefront, feeds: client.scope.feeds))
        let expected = Set(lines.split(separator: "\n").map(String.init))
        let found = Set(client.follower.copy.entries.compactMap { key, entry in entry.content.map { "\(key) \($0.hash)" } })
        outcome.expect(
            found == expected, .converges,
            "\(client.scope) lacks \(expected.subtracting(found).sorted().prefix(5)), has \(found.subtracting(expected).sorted().prefix(5)) too much"
        )
        for feed in client.scope.feeds ?? [] {
            let registry = try ExperimentRegistry(parsing: Array(try database.send(StressSite.registry(of: feed)).utf8))
            let pages = try ArmPages(of: feed, in: client.follower.copy, storefront: client.scope.storefront)
            for issue in pages.issues(in: registry) { outcome.violate(.converges, "\(client.scope): \(issue)") }
        }
        guard client.scope.feeds == nil else { return }
        let rows = try database.send("SELECT slug || ' ' || coalesce(rating_count, 0) FROM items WHERE deleted_at IS NULL").split(
            separator: "\n")
        let counts = client.counts
        for row in rows {
            let parts = row.split(separator: " ")
            guard let count = counts[String(parts[0])] else { continue }
            outcome.expect(count == Int(parts[1]), .converges, "\(client.scope): \(parts[0]) was rated \(parts[1]) times, and not \(count)")
        }
    }
}
