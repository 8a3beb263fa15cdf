import EventLoop
import Feeds
import Glibc
import Host
import Items
import JSON
import Postgres
import Publishing
import Resolve
import SQLFiles
import Security
import TestDatabase
import TestSupport
import Testing
import Values

@Suite("The migration of a catalog from before publications per storefront", .onOwnThread)
struct PastSiteTests {
    /// The number of migrations before publications per storefront.
    private static let count = SQLFiles.migrations.count { $0.name < "0028" }

    private static func runner(_ count: Int = SQLFiles.migrations.count) throws -> MigrationRunner {
        MigrationRunner(try MigrationSet(Array(SQLFiles.migrations.prefix(count)), digest: Digest.sha256))
    }

    /// A session in the open transaction, or outside of one.
    private struct Rows {
        let connection: PostgresConnection

        func lines(_ sql: String, _ times: [Timestamp]? = nil) async throws -> [String] {
            let query =
                times.map { PostgresQuery("rows", sql, $0, isPrepared: false) } ?? PostgresQuery("rows", sql, isPrepared: false)
            return try await connection.rows(of: query, as: String.self, until: .after(.seconds(60)))
        }

        func run(_ sql: String) async throws { try await connection.runScript("rows", sql, until: .after(.seconds(60))) }
    }

    // MARK: Before and after

    private static let live = """
        (extract(epoch FROM moment) * 1000000)::bigint || ' ' || feed || ' r' || revision || ' ' || layer || ' '
            || coalesce(((extract(epoch FROM until_moment) * 1000000)::bigint)::text, '-')
        """

    /// Keeps the rows that a migration must not change.
    private static let keep = """
        CREATE TEMP TABLE kept_publications AS SELECT id, feed, layer::text, revision, during FROM vitrine.publications;
        CREATE TEMP TABLE kept_revisions AS SELECT feed, number, line, document, hash, saved_at FROM vitrine.revisions;
        CREATE TEMP TABLE kept_prices AS SELECT item_id, storefront, role::text, amount_minor, currency FROM vitrine.item_prices;
        """

    private static let drop = "DROP TABLE pg_temp.kept_publications, pg_temp.kept_revisions, pg_temp.kept_prices"

    /// Statements that return a line for each row that a migration has changed, lost or added.
    private static let changes = [
        difference("feed, number, line, document, hash, saved_at", "vitrine.revisions", "pg_temp.kept_revisions"),
        difference("item_id, storefront, role::text, amount_minor, currency", "vitrine.item_prices", "pg_temp.kept_prices"),
        difference("id, feed, layer::text, revision", "vitrine.publications", "pg_temp.kept_publications"),
        difference(
            "publication, feed, layer::text, storefront, during", "vitrine.publication_spans",
            "(SELECT id AS publication, feed, layer, key AS storefront, during FROM pg_temp.kept_publications CROSS JOIN vitrine.storefronts) AS spans"
        ),
        """
        SELECT id || ' has other times' FROM vitrine.publications JOIN pg_temp.kept_publications AS kept USING (id)
        WHERE storefronts IS NOT NULL OR replace_local OR from_text::timestamptz <> lower(during)
            OR until_text::timestamptz IS DISTINCT FROM CASE WHEN publications.layer = 'takeover' THEN upper(during) END
        """,
    ]

    private static func difference(_ columns: String, _ one: String, _ other: String) -> String {
        let (new, old) = ("SELECT \(columns) FROM \(one)", "SELECT \(columns) FROM \(other)")
        return "SELECT row::text FROM ((\(new) EXCEPT \(old)) UNION ALL (\(old) EXCEPT \(new))) AS row"
    }

    private static func times(_ site: PastSite) -> [Timestamp] { site.times.map { Timestamp(clamping: Int64($0)) } }

    /// Checks the model against the older schema, and keeps its rows.
    private static func prepare(_ site: PastSite, _ rows: Rows, _ name: String) async throws {
        let found = try await rows.lines(
            "SELECT \(live) FROM unnest($1::timestamptz[]) AS moment CROSS JOIN vitrine.live_revisions(moment) WHERE revision IS NOT NULL ORDER BY moment, feed",
            times(site))
        #expect(found == site.times.flatMap { site.live(at: $0) }, "\(name) before the migration")
        try await rows.run(keep)
    }

    /// Checks that clients in every storefront see what they saw before.
    private static func check(_ site: PastSite, _ rows: Rows, _ name: String) async throws {
        let shown = "SELECT \(live) FROM unnest($1::timestamptz[]) AS moment CROSS JOIN vitrine.live_revisions(moment)"
        let order = "AND revision IS NOT NULL ORDER BY moment, feed"
        let expected = site.times.flatMap { site.live(at: $0) }
        for storefront in site.storefronts {
            let found = try await rows.lines("\(shown) WHERE storefront = '\(storefront.key)' \(order)", times(site))
            #expect(found == expected, "\(name) in \(storefront.key)")
        }
        for query in changes { #expect(try await rows.lines(query) == [], "\(name): \(query)") }
        // The column of the result has the same name, and a text order.
        let canceled = try await rows.lines(
            "SELECT id::text FROM vitrine.publications WHERE cancelled_at IS NOT NULL ORDER BY publications.id")
        #expect(canceled == site.canceled.map(String.init), "\(name)")
        try await checkItems(site, rows, name)
        try await checkExperiments(site, rows.connection, name)
        try await checkPages(site, rows, name)
        try await checkNewStorefront(site, rows, name)
    }

    private static func checkItems(_ site: PastSite, _ rows: Rows, _ name: String) async throws {
        let items = site.items.sorted { $0.name < $1.name }
        let platforms = try await rows.lines(
            """
            SELECT slug || ' ' || platform || ' ' || coalesce(minimum_os, '-')
            FROM vitrine.item_platforms JOIN vitrine.items ON id = item_id ORDER BY slug COLLATE "C", platform COLLATE "C"
            """)
        #expect(platforms == items.flatMap { item in item.platforms.map { "\(item.name) \($0) \(item.minimumVersion ?? "-")" } }, "\(name)")
        let labels = try await rows.lines(
            """
            SELECT slug || ' ' || scheme || ' ' || label
            FROM vitrine.item_age_ratings JOIN vitrine.items ON id = item_id ORDER BY slug COLLATE "C"
            """)
        #expect(labels == items.map { "\($0.name) apple-2015 \($0.ageRating)" }, "\(name)")
    }

    /// Each place, and a client without an ID, sees exactly the sections and cards of its buckets.
    private static func checkExperiments(_ site: PastSite, _ connection: PostgresConnection, _ name: String) async throws {
        let session = PostgresSession(inTransactionOf: connection, within: .seconds(60))
        let registered = try await ExperimentStore(session).experiments()
        #expect(registered.map(\.key) == Set(site.buckets.map(\.experiment)).sorted(), "\(name)")
        let experiments = Dictionary(uniqueKeysWithValues: registered.map { ($0.key, $0.experiment) })
        for bucket in site.buckets {
            guard let key = FeedKey(bucket.feed), let experiment = experiments[bucket.experiment] else {
                Issue.record("\(name): no experiment \(bucket.experiment)")
                continue
            }
            let document = try FeedDocument(parsing: try await FeedStore(session).revision(bucket.revision, of: key).document)
            let section = document.sections.first { $0.key.text == bucket.section }
            let target = bucket.isPin ? section?.pins.first?.target : section?.target
            let arms = target?.experiments[bucket.experiment] ?? []
            let places = (0..<Place.count).filter { arms.contains(experiment.arm(at: $0)) }
            #expect(places == Array(bucket.places) && experiment.salt == bucket.experiment, "\(name): \(bucket)")
            let others = site.buckets.filter { $0.experiment == bucket.experiment }
            let isCovered = (0..<Place.count).allSatisfy { place in others.contains { $0.places.contains(place) } }
            #expect(isCovered || !arms.contains(experiment.defaultArm), "\(name): \(bucket)")
            #expect(experiment.state == .running)
        }
    }

    /// The clients whose pages are compared.
    private static let clients = (0..<1_000).map { "client-\($0)" }

    /// Publishes the pages, and compares them with the documents as they were saved: each client sees the same items and cards.
    private static func checkPages(_ site: PastSite, _ rows: Rows, _ name: String) async throws {
        let connection = rows.connection
        let limit = Duration.seconds(60)
        let session =
            connection.isUsable
            ? PostgresSession(connection, within: limit) : PostgresSession(inTransactionOf: connection, within: limit)
        let time = site.quietTime
        try await publish(rows, session, at: Timestamp(clamping: Int64(time)))
        let clients = clients.map { id in
            var facts = ClientFacts.nothingSaid
            facts.client = .said(id)
            return facts
        }
        for feed in Set(site.revisions.map(\.feed)).sorted() {
            let revision = site.shown(feed, at: time)?.revision
            let expected = try revision.map { try site.pages(of: feed, revision: $0, for: Self.clients) } ?? []
            let expectedLists = try revision.map { try site.lists(of: feed, revision: $0) }
            for storefront in site.storefronts {
                let snapshot = try await PageReader(session).snapshot(of: StorefrontFeed(storefront: storefront.key, feed: feed))
                #expect(snapshot?.feed.revision == revision, "\(name): \(feed) in \(storefront.key)")
                guard let snapshot, let locale = LocaleTag(storefront.locale) else { continue }
                let pages = ClientPages(snapshot, in: storefront.key, locale, for: clients)
                var lists: [String: [String]] = [:]
                for section in snapshot.sections where section.list != nil {
                    lists[section.published.id] = snapshot.list(of: section, in: locale).map { snapshot.items[$0.item]?.slug ?? "?" }
                }
                #expect(lists == expectedLists, "\(name): the lists of \(feed) in \(storefront.key)")
                guard let wrong = expected.indices.first(where: { pages[$0] != expected[$0] }) else { continue }
                Issue.record(
                    """
                    \(name): \(feed) in \(storefront.key) shows \(pages[wrong]) to \(Self.clients[wrong]), and before the migration \
                    \(expected[wrong])
                    """)
            }
        }
    }

    /// Publishes everything as at a time, or at the present if that is later.
    private static func publish(_ rows: Rows, _ session: PostgresSession, at time: Timestamp) async throws {
        while try await rows.lines("SELECT vitrine.derive_items(1000)::text") != ["0"] {}
        var sequencer = try Site(connection: rows.connection).sequencer()
        sequencer.clockAhead = max(try await sequencer.inspect(session).time.duration(to: time), .zero)
        var isComplete = false
        while !isComplete {
            let report = try await sequencer.drain(session)
            #expect(report.unreadable == 0)
            isComplete = report.isComplete
        }
    }

    /// A storefront that is added later shows what the others show, from then on.
    private static func checkNewStorefront(_ site: PastSite, _ rows: Rows, _ name: String) async throws {
        try await rows.run(
            """
            INSERT INTO vitrine.storefronts (key, currency, time_zone, default_locale) VALUES ('zz', 'USD', 'Asia/Kathmandu', 'en');
            INSERT INTO vitrine.storefront_locales (storefront, locale, rank) VALUES ('zz', 'en', 1);
            """)
        // The database has the same clock.
        let inserted = SystemInfo.wallClock
        let future = site.times.filter { $0 > inserted }
        let found = try await rows.lines(
            "SELECT \(live) FROM unnest($1::timestamptz[]) AS moment CROSS JOIN vitrine.live_revisions(moment) WHERE storefront = 'zz' AND revision IS NOT NULL ORDER BY moment, feed",
            future.map { Timestamp(clamping: Int64($0)) })
        #expect(found == future.flatMap { site.live(at: $0) }, "\(name) in a new storefront")
    }

    // MARK: Tests

    /// Migrates a new database to the schema before publications per storefront.
    private static func start(_ connection: PostgresConnection) async throws -> Rows {
        try await runner(count).migrate(connection)
        let rows = Rows(connection: connection)
        // Reading the names of the time zones takes longer than everything else, and these exist.
        try await rows.run(
            """
            ALTER TABLE vitrine.publications DROP CONSTRAINT publications_time_zone_check;
            ALTER TABLE vitrine.storefronts DROP CONSTRAINT storefronts_time_zone_check;
            """)
        try await rows.run(CatalogRows.functions)
        return rows
    }

    private static let sites = TestVariable.number("PAST_SITES")
    /// The seeds of this run.
    private static let seeds = sites.map { Array(1...max(1, $0)) } ?? Seeds.fixed(2)

    private static func site(_ seed: UInt64) -> PastSite { PastSite(seed: seed, now: Int(SystemInfo.wallClock)) }

    @Test("Every storefront of a random catalog shows the same revisions at each bound, and no row of the history changes")
    func random() async throws {
        try await ScratchDatabase.run(.empty) { database in
            let runner = try Self.runner()
            let last = try #require(runner.newest)
            try await withConnection(database.configuration) { connection in _ = try await Self.start(connection) }
            for seed in Self.seeds {
                // The statements of a session are prepared for the types of one dry run.
                try await withConnection(database.configuration) { connection in
                    let rows = Rows(connection: connection)
                    try await rows.run(CatalogRows.functions)
                    let site = Self.site(seed)
                    // The catalog exists only in the transaction of the dry run, so that the next one starts from the same schema.
                    try await runner.dryRun(
                        connection,
                        inspect: { id, stage, connection in
                            if stage == .before, id.number == Self.count + 1 {
                                try await rows.run(site.script)
                                let deferred = PostgresQuery(MigrationStatements.checkDeferred, isPrepared: false)
                                try await connection.run(deferred, until: .after(.seconds(60)))
                                try await Self.prepare(site, rows, "seed \(seed)")
                            }
                            if stage == .after, id == last { try await Self.check(site, rows, "seed \(seed)") }
                        })
                }
            }
        }
    }

    @Test("A migration that commits each step leaves the same as one in a transaction")
    func committed() async throws {
        let seed = Seeds.fresh
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let rows = try await Self.start(connection)
                let site = Self.site(seed)
                try await rows.run(site.script)
                try await Self.prepare(site, rows, "seed \(seed)")
                try await Self.runner().migrate(connection)
                try await Self.check(site, rows, "seed \(seed)")
                try await rows.run(Self.drop)
            }
        }
    }

    /// The ways to interrupt a run. The server sees a killed program as the end of its socket.
    private enum Fate: CaseIterable { case programKilled, serverProcessEnded, canceled }

    private static func interrupt(_ configuration: PostgresConfiguration, on loop: EventLoop, _ fate: Fate, after pause: Duration)
        async throws
    {
        let connection = try await PostgresConnection.connect(configuration, on: loop, until: .after(.seconds(60)))
        let runner = try Self.runner()
        let run = Task(executorPreference: loop) {
            do throws(MigrationError) {
                try await runner.migrate(connection)
            } catch {
                if case .refused = error { throw error }
            }
        }
        try await loop.sleep(until: .after(pause))
        switch fate {
        case .programKilled: connection.close()
        case .serverProcessEnded: _ = kill(connection.serverProcess, SIGTERM)
        case .canceled: run.cancel()
        }
        try await run.value
        if !connection.isClosed { connection.close() }
    }

    /// Returns the lines of the schema as `pg_dump` writes it: columns, constraints, indexes, functions and triggers.
    private static func schema(of database: ScratchDatabase) throws -> [Substring] {
        let arguments = ["--schema-only", "--no-owner", "-d", database.url.exposed]
        let (text, status) = try ProcessLaunch("pg_dump", arguments).output(within: .seconds(60), limit: 1 << 26)
        #expect(status.isSuccess, "\(text)")
        // Newer releases write a random word on a separate line.
        return text.split(separator: "\n").filter { !$0.hasPrefix("\\") }
    }

    /// Returns the schema that one run without an interruption leaves. Its constraints depend on the rows: one that an older row
    /// violates is not validated.
    private static func uninterruptedSchema(_ site: PastSite, _ name: String) async throws -> [Substring] {
        let lines = Locked<[Substring]>([])
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let rows = try await start(connection)
                try await rows.run(site.script)
                try await prepare(site, rows, name)
                try await runner().migrate(connection)
            }
            let schema = try schema(of: database)
            lines.withLock { $0 = schema }
        }
        return lines.withLock { $0 }
    }

    @Test("Two runs at the same time that are interrupted at random times, and a third one, leave the same rows and schema as one run")
    func interrupted() async throws {
        let seed = Seeds.fresh
        var random = SeededRandom(seed: seed)
        for round in 0..<(Self.sites == nil ? 2 : 50) {
            let runs = (0..<2).map { _ in
                (Fate.allCases.randomElement(using: &random) ?? .canceled, Duration.milliseconds(Int.random(in: 0...600, using: &random)))
            }
            let name = "seed \(seed), round \(round): \(runs)"
            let site = Self.site(seed &+ UInt64(round))
            let expected = try await Self.uninterruptedSchema(site, name)
            #expect(expected.contains { $0.hasPrefix("CREATE TRIGGER") } && expected.contains { $0.hasPrefix("CREATE INDEX") })
            try await ScratchDatabase.run(.empty) { database in
                let configuration = database.configuration
                try await withConnection(configuration) { connection in
                    let rows = try await Self.start(connection)
                    try await rows.run(site.script)
                    try await Self.prepare(site, rows, name)
                    try await withLoop { loop in
                        try await withThrowingTaskGroup { group in
                            for (fate, pause) in runs {
                                group.addTask(executorPreference: loop) {
                                    try await Self.interrupt(configuration, on: loop, fate, after: pause)
                                }
                            }
                            try await group.waitForAll()
                        }
                    }
                    try await Self.runner().migrate(connection)
                    try await Self.check(site, rows, name)
                }
                let difference = try Self.schema(of: database).difference(from: expected)
                #expect(difference.isEmpty, "\(name): \(Array(difference.prefix(10)))")
            }
        }
    }

    // MARK: The sample

    /// Publishes the sample feeds, and their takeover for three hours in two hours.
    private static func publishSample(_ rows: Rows, times: (String, String), _ written: (String) -> String) async throws {
        for (feed, isTakeover, document) in try SampleRows.documents() {
            let revision =
                "vitrine.save_revision('\(feed)', '\(isTakeover ? "night-market" : "main")', $document$\(written(document))$document$)"
            let period = isTakeover ? ", \(times.0), \(times.1)" : ""
            try await rows.run("SELECT vitrine.publish('\(feed)', '\(isTakeover ? "takeover" : "base")', \(revision)\(period))")
        }
    }

    /// Publishes everything as at a time, and returns the pages of all clients, by the storefront and the feed. The first client states
    /// nothing.
    private static func pages(_ connection: PostgresConnection, at time: Timestamp) async throws -> [String: ClientPages] {
        let rows = Rows(connection: connection)
        let session = PostgresSession(connection, within: .seconds(60))
        try await publish(rows, session, at: time)
        let clients = clients.enumerated().map { number, id in
            var facts = ClientFacts.nothingSaid
            if number > 0 {
                (facts.client, facts.platform) = (.said(id), .said("ios"))
                facts.appVersion = Version("4.0").map { .said($0) } ?? .notSaid
            }
            return facts
        }
        var pages: [String: ClientPages] = [:]
        for storefront in try await rows.lines("SELECT key FROM vitrine.storefronts ORDER BY key") {
            for feed in Set(try SampleRows.documents().map(\.feed)) {
                guard let snapshot = try await PageReader(session).snapshot(of: StorefrontFeed(storefront: storefront, feed: feed)) else {
                    continue
                }
                pages["\(storefront) \(feed)"] = ClientPages(snapshot, in: storefront, .english, for: clients)
            }
        }
        return pages
    }

    @Test("The migrated sample shows the pages of a new one in every storefront, and its takeover at the same time")
    func sample() async throws {
        let migrated = Locked<[String: ClientPages]>([:])
        // Half an hour before or after any full hour, so that no section rotates and no day ends between the two.
        let hour = 3_600_000_000
        let time = Timestamp(clamping: (SystemInfo.wallClock / hour + 1) * hour + hour / 2)
        try await ScratchDatabase.run(.empty) { database in
            try await withConnection(database.configuration) { connection in
                let rows = try await Self.start(connection)
                try await rows.run(SampleRows.catalog)
                let hours = ("now() + interval '2 hours'", "now() + interval '5 hours'")
                try await Self.publishSample(rows, times: hours, SampleRows.past)
                let scheduled = """
                    SELECT moment FROM (SELECT lower(during), upper(during) FROM kept_publications) AS bounds (lower, upper)
                    CROSS JOIN unnest(ARRAY[lower, upper]) AS bound
                    CROSS JOIN unnest(ARRAY[bound - interval '1 minute', bound, bound + interval '1 minute']) AS moment
                    WHERE bound IS NOT NULL
                    """
                try await rows.run(Self.keep)
                let live = "SELECT DISTINCT \(Self.live) AS line FROM (\(scheduled)) AS times CROSS JOIN vitrine.live_revisions(moment)"
                try await rows.run("CREATE TEMP TABLE kept_live AS \(live) WHERE revision IS NOT NULL")
                try await Self.runner().migrate(connection)
                let lost = """
                    SELECT key || ' ' || line FROM vitrine.storefronts CROSS JOIN kept_live
                    EXCEPT SELECT storefront || ' ' || line
                    FROM (\(live.replacing("SELECT DISTINCT", with: "SELECT DISTINCT storefront,"))) AS shown
                    """
                #expect(try await rows.lines(lost) == [])
                #expect(try await rows.lines("SELECT line FROM kept_live WHERE line LIKE '% takeover %'").count >= 3)
                for query in Self.changes { #expect(try await rows.lines(query) == [], "\(query)") }
                let pages = try await Self.pages(connection, at: time)
                migrated.withLock { $0 = pages }
            }
        }
        try await ScratchDatabase.run(.migrated) { database in
            try await withConnection(database.configuration) { connection in
                let rows = Rows(connection: connection)
                try await rows.run("SET search_path = vitrine, public")
                try await rows.run(SampleRows.catalog)
                try await rows.run(
                    """
                    INSERT INTO vitrine.experiments (key, salt, arms, default_arm)
                    VALUES ('weekend', 'weekend', '{"control": [[50, 100]], "pairs": [[0, 50]]}', 'control');
                    UPDATE vitrine.experiments SET state = 'running';
                    """)
                let hours = ("instant_text(now() + interval '2 hours')", "instant_text(now() + interval '5 hours')")
                try await Self.publishSample(rows, times: hours) { $0 }
                let expected = try await Self.pages(connection, at: time)
                let pages = migrated.withLock { $0 }
                #expect(pages.keys.sorted() == expected.keys.sorted() && pages.count == 6 * 7)
                for (name, page) in expected { #expect(pages[name] == page, "\(name)") }
                // The bucket of the former document was the first half of the places.
                let today = try #require(pages["us today"])
                for (number, client) in Self.clients.enumerated() {
                    let isIncluded = number > 0 && Place.of(client, in: "weekend") < 50
                    #expect((today[number]["today/weekend"] != nil) == isIncluded, "\(client)")
                }
                #expect(today[0]["today/order-in"]?.isEmpty == false)
            }
        }
    }

    @Test("The random catalogs contain each kind of publication and target")
    func coverage() {
        let sites = (1...60).map { PastSite(seed: $0, now: 1_800_000_000_000_000) }
        let publications = sites.flatMap { site in site.publications.map { ($0, site) } }
        #expect(
            publications.contains { $0.0.isTakeover && $0.0.until == nil } && publications.contains { $0.0.isTakeover && $0.0.until != nil }
        )
        #expect(publications.contains { $0.0.from > $0.1.now } && publications.contains { $0.0.isLive(at: $0.1.now) })
        #expect(sites.contains { !$0.canceled.isEmpty } && sites.contains { !$0.archivedFeeds.isEmpty })
        let buckets = sites.flatMap(\.buckets)
        #expect(buckets.contains(where: \.isPin) && buckets.contains { $0.places == 0..<100 })
        #expect(sites.contains { $0.revisions.contains { $0.document.contains(#""limit""#) } && $0.storefronts.count > 2 })
        #expect(sites.contains { $0.items.contains { $0.minimumVersion == "iOS 9 or later" && $0.platforms.count > 1 } })
    }

    @Test("The random catalogs show sections of format 1 that a wrong size, limit or slot of a pin would change")
    func sections() throws {
        var (cut, enlarged, moved, listed, continued) = (0, 0, 0, 0, 0)
        for seed in 1...600 as ClosedRange<UInt64> {
            let site = PastSite(seed: seed, now: 1_800_000_000_000_000)
            for feed in Set(site.revisions.map(\.feed)) {
                guard let revision = site.shown(feed, at: site.quietTime)?.revision else { continue }
                for section in try site.sections(of: feed, revision: revision) {
                    guard let limit = section.limit else { continue }
                    let (count, last) = (site.items.count, section.slots.last ?? 0)
                    if section.hasRule, last < 20, limit > 20, count > 20 { cut += 1 }
                    if section.hasRule, last >= 20, count > last { enlarged += 1 }
                    if !section.hasRule, last >= 20 { moved += 1 }
                    if section.hasRule, section.hasSeeAll, limit < count { listed += 1 }
                    if !section.hasSeeAll, limit > 20, count > 20 { continued += 1 }
                }
            }
        }
        #expect(min(cut, enlarged, moved, listed, continued) >= 3, "\([cut, enlarged, moved, listed, continued])")
    }
}
