import EventLoop
import Host
import JSON
import Postgres
import SQLFiles
import Security
import TestDatabase
import TestSupport
import Testing

/// `vitrine db migrate --dry-run` on databases of older releases.
@Suite("A dry run of vitrine db migrate", .serialized, .databaseForEachTest(.empty), .onOwnThread)
struct MigrationTrialTests {
    private let vitrine: Vitrine

    init() throws { vitrine = try Vitrine() }

    private static let weekend = #"{"bucket":{"experiment":"weekend","from":0,"to":50}}"#
    private static let dark = #"{"bucket":{"experiment":"dark","from":0,"to":100}}"#
    private static let document =
        #"{"feed":"today","sections":["#
        + [("half", weekend), ("whole", dark)].map {
            #"{"cell":"row","key":"\#($0)","layout":{"list":{}},"rule":{"kind":"topApp"},"target":\#($1)}"#
        }.joined(separator: ",") + #"],"title":{"en":"Today"}}"#

    /// Fills a database of an older release with items, and with a feed that has three publications, one of them canceled.
    private static let content =
        CatalogRows.functions + "BEGIN;" + CatalogRows.storefronts + "COMMIT;"
            + """
            SELECT pg_temp.top_app(name, '{"en": "X"}') FROM unnest('{both,odd,plain}'::text[]) AS name;
            SELECT pg_temp.food_app('dish', '{"en": "Dish"}');
            UPDATE top_apps SET platforms = '{visionos,ios}', minimum_os = '16.2', age_rating = '12+' WHERE bundle_id = 'org.both';
            UPDATE top_apps SET minimum_os = 'iOS 9 or later', age_rating = '17+' WHERE bundle_id = 'org.odd';
            SELECT save_revision('today', 'main', '\(document)');
            SELECT cancel_publication(publish('today', 'base', 1)), pg_sleep(0.01);
            SELECT publish('today', 'base', 1), publish('today', 'takeover', 1, now() + interval '1 day', now() + interval '2 days');
            """

    /// Migrates the database of the test to an older schema, and fills it.
    private static func prepare(_ count: Int, _ more: String = "") async throws {
        try await withConnection { connection in
            let files = Array(SQLFiles.migrations.prefix(count))
            try await MigrationRunner(try MigrationSet(files, digest: Digest.sha256)).migrate(connection)
            try await connection.runScript("content", content + more, until: .after(.seconds(30)))
        }
    }

    /// Returns the schema and all rows, without the states of sequences, which also count rows that are rolled back.
    private static func contents() throws -> [Substring] {
        let (text, status) = try ProcessLaunch("pg_dump", ["--no-owner", "-d", ScratchDatabase.current.url.exposed])
            .output(within: .seconds(60), limit: 1 << 26)
        #expect(status.isSuccess, "\(text)")
        // Newer releases write a random word on a separate line.
        return text.split(separator: "\n").filter { !$0.hasPrefix("\\") && !$0.contains("pg_catalog.setval(") }.sorted()
    }

    /// Returns the rows of a query in the database in which copies are created.
    private static func administer(_ sql: String) async throws -> [String] {
        var configuration = try ScratchDatabase.current.configuration
        configuration.database = "postgres"
        let rows = Locked<[String]>([])
        try await withConnection(configuration) { connection in
            let found = try await connection.rows(of: PostgresQuery("administer", sql, isPrepared: false), as: String.self, until: .soon)
            rows.withLock { $0 = found }
        }
        return rows.withLock { $0 }
    }

    /// Runs a statement in the same database.
    private static func run(_ sql: String) async throws {
        var configuration = try ScratchDatabase.current.configuration
        configuration.database = "postgres"
        try await withConnection(configuration) { connection in try await connection.runScript("run", sql, until: .after(.seconds(30))) }
    }

    private static let copies = "SELECT datname::text FROM pg_database WHERE datname LIKE 'vitrine_dry_run_%'"

    private func variables() throws -> [String: String] { ["VITRINE_DATABASE_URL": try ScratchDatabase.current.url.exposed] }

    private func migrate(_ options: String...) throws -> Vitrine.Result {
        try vitrine.run(["db", "migrate"] + options, variables: variables())
    }

    private static func names(_ lines: Substring) -> [Substring] {
        lines.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != " " } }
    }

    @Test(
        "The report has the orders, spans, platforms, age ratings and experiments that each migration makes, and nothing remains",
        arguments: [(27, "transaction"), (19, "copy")])
    func report(count: Int, method: String) async throws {
        try await Self.prepare(count)
        let before = try Self.contents()
        let table = try migrate("--dry-run")
        #expect(table.status == .code(0), "\(table.errors)")
        let names = SQLFiles.migrations.dropFirst(count).map { $0.name.dropLast(".sql".count) }
        #expect(Self.names(table.output[...]) == names, "\(table.output)")
        let lines = table.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        for line in [
            "3 publications become orders for all storefronts, 1 canceled", "spans: 3 in de, 3 in sa, 3 in us",
            "platforms of items: 3 ios, 1 visionos", "minimum versions: 2 ios, 1 visionos",
            "age ratings: 1 apple-2015 4+, 1 apple-2015 12+, 1 apple-2015 17+", "experiment 'dark', running: p0-99 0-99; default p0-99",
            "experiment 'weekend', running: p0-49 0-49, p50-99 50-99; default p50-99",
        ] {
            #expect(lines.contains(line[...]), "\(line) is not in \(table.output)")
        }
        #expect(lines.contains { $0.hasPrefix("rows: ") && $0.contains("publication_spans +9, publications ~3") }, "\(table.output)")
        let warning = "clients without an ID have the default arm 'p0-99' of experiment 'dark', and will see section 'whole' of 'today'"
        #expect(table.errors.contains("warning: \(warning) [DEFAULT_ARM_USED]\nhint: "), "\(table.errors)")
        #expect(table.errors.contains("warning: 1 minimum version of an item is not in the form 16.2 [UNREADABLE_VERSION]\nhint: "))
        #expect(table.errors.hasSuffix("Dry run: no changes made.\n"))
        #expect(try Self.contents() == before)
        #expect(try await Self.administer(Self.copies) == [])

        let root = try JSONDocument(parsing: Array(try migrate("--dry-run", "-o", "json").output.utf8)).root
        #expect(root["dryRun"]?.bool == true && root["method"]?.string == method)
        let migrations = try #require(root["migrations"]).elements.map { $0 }
        #expect(migrations.map { $0["number"]?.integer } == Array(count + 1...SQLFiles.migrations.count))
        let orders = migrations.first { $0["name"]?.string == "publish_per_storefront" }?["orders"]
        #expect(orders?["orderCount"]?.integer == 3 && orders?["canceledCount"]?.integer == 1)
        #expect(orders?["storefronts"]?.elements.map { $0["spanCount"]?.integer } == [3, 3, 3])
        let experiments = migrations.first { $0["name"]?.string == "create_experiments" }?["experiments"]
        #expect(experiments?.elements.map { $0["experiment"]?.string } == ["dark", "weekend"])
        #expect(experiments?.elements.map { $0["default"]?.string } == ["p0-99", "p50-99"])
        let finding = root["findings"]?.elements.first { $0["code"]?.string == "DEFAULT_ARM_USED" }
        #expect(finding?["message"]?.string == warning && finding?["experiment"]?.string == "dark")
        let section = finding?["sections"]?.elements.first { _ in true }
        #expect(section?["revisions"]?.elements.map(\.integer) == [1] && section?["current"]?.bool == true)
        #expect(try Self.contents() == before)

        // The migrations make what the dry run reported.
        let migrated = try migrate("-o", "json")
        #expect(migrated.status == .code(0) && migrated.errors.contains("warning: \(warning)"), "\(migrated.errors)")
        let made = try JSONDocument(parsing: Array(migrated.output.utf8)).root
        #expect(made["dryRun"]?.bool == false && made["method"] == nil)
        let (tried, applied) = (try Self.untimed(root), try Self.untimed(made))
        #expect(tried == applied)
        try await withConnection { connection in
            let spans = PostgresQuery("spans", "SELECT count(*) FROM vitrine.publication_spans", isPrepared: false)
            let counts = try await connection.rows(of: spans, as: Int.self, until: .soon)
            #expect(counts == [9])
        }
    }

    @Test("vitrine dev logs the findings of the migrations that it applies")
    func dev() async throws {
        try await Self.prepare(27)
        var child = try vitrine.start(["dev", "--listen", "127.0.0.1:0"], try variables(), output: "\(vitrine.folder)/dev")
        let log = "\(vitrine.folder)/dev.errors"
        try vitrine.wait(for: "dev.ready", &child, log)
        try RunningProcess.send(.interrupt, to: child.id)
        #expect(try vitrine.end(of: &child) == .code(0))
        let findings = try vitrine.text(log).split(separator: "\n").filter { $0.contains("migrations.warned") }
        #expect(findings.count == 2, "\(findings)")
        #expect(findings.contains { $0.contains("DEFAULT_ARM_USED") && $0.contains("'whole' of 'today'") }, "\(findings)")
        #expect(findings.contains { $0.contains("UNREADABLE_VERSION") }, "\(findings)")
    }

    /// Returns the canonical texts of the migrations without their durations.
    private static func untimed(_ report: JSONNode) throws -> [String] {
        try #require(report["migrations"]).elements.map {
            String(decoding: $0.canonical(), as: UTF8.self).replacing(#/"tookMilliseconds":[0-9.eE-]+/#, with: "")
        }
    }

    @Test("A current database has nothing to report")
    func current() async throws {
        try await withConnection { connection in
            try await MigrationRunner(try MigrationSet(SQLFiles.migrations, digest: Digest.sha256)).migrate(connection)
        }
        let table = try migrate("--dry-run")
        #expect(table.status == .code(0) && table.output == "No migrations are pending.\n" && table.errors == "Dry run: no changes made.\n")
        let mixed = try migrate("--dry-run", "--grant", "server")
        #expect(mixed.status == .code(64) && mixed.errors.contains("'--grant' cannot be combined with '--dry-run'"), "\(mixed.errors)")
    }

    /// Makes each dry run wait within a migration that defines something, in the database of the test or in a copy.
    private static let pause = """
        CREATE FUNCTION public.pause() RETURNS event_trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF current_setting('application_name') SIMILAR TO 'vitrine%' THEN
                PERFORM pg_sleep(600);
            END IF;
        END
        $$;
        CREATE EVENT TRIGGER pause ON ddl_command_start WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION public.pause();
        """

    @Test(
        "A dry run that is killed or interrupted leaves the database as it was, and no copy",
        arguments: [(27, Signal.kill), (27, .interrupt), (19, .kill), (19, .terminate)])
    func interrupted(count: Int, signal: Signal) async throws {
        try await Self.prepare(count, Self.pause)
        let before = try Self.contents()
        let output = "\(vitrine.folder)/trial"
        var child = try vitrine.start(["db", "migrate", "--dry-run"], variables(), output: output)
        let name = try ScratchDatabase.current.name
        let sleeping = """
            SELECT datname::text FROM pg_stat_activity
            WHERE wait_event = 'PgSleep' AND (datname = '\(name)' OR datname LIKE 'vitrine_dry_run_%')
            """
        try await Self.wait { try await !Self.administer(sleeping).isEmpty }
        let places = try await Self.administer(sleeping)
        #expect((places == [name]) == (count == 27), "\(places)")
        try RunningProcess.send(signal, to: child.id)
        let status = try vitrine.end(of: &child)
        if signal != .kill {
            let errors = try vitrine.text("\(output).errors")
            #expect(status == .code(130) && errors.hasSuffix("error: interrupted\n"), "\(errors)")
        }
        // The server checks the connection of a killed program every two seconds.
        let sessions = "SELECT application_name FROM pg_stat_activity WHERE datname = '\(name)'"
        try await Self.wait { try await (Self.administer(Self.copies) + Self.administer(sessions)).isEmpty }
        #expect(try Self.contents() == before)
    }

    private static func wait(until isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while try await !isSo() {
            try #require(ContinuousClock.now < end)
            _ = Signal.next(of: [], within: .milliseconds(20))
        }
    }

    @Test("A copy that remained after a crash is dropped by the next dry run that makes one, and one in use is kept")
    func leftovers() async throws {
        try await Self.prepare(19)
        let name = try ScratchDatabase.current.name
        let copies = ["lost", "used"].map { "vitrine_dry_run_\($0)_\(name)" }
        for copy in copies { try await Self.run("CREATE DATABASE \(copy) TEMPLATE template0") }
        let url = try ScratchDatabase.current.url.exposed.replacing("/\(name)?", with: "/postgres?")
        var holder = try vitrine.start(
            ["db", "psql", "--", "-XAtqc", "SELECT pg_sleep(600)"], ["VITRINE_DATABASE_URL": url, "PGAPPNAME": copies[1]],
            output: "\(vitrine.folder)/holder")
        let sessions = "SELECT pid::text FROM pg_stat_activity WHERE application_name = '\(copies[1])' AND wait_event = 'PgSleep'"
        try await Self.wait { try await !Self.administer(sessions).isEmpty }
        let result = try migrate("--dry-run")
        #expect(result.status == .code(0), "\(result.errors)")
        #expect(try await Self.administer(Self.copies) == [copies[1]])
        try RunningProcess.send(.terminate, to: holder.id)
        _ = try vitrine.end(of: &holder)
        try await Self.run("DROP DATABASE \(copies[1])")
    }

    @Test("A database in use, or one that the user may not copy, is not copied, and the error names the remedy")
    func refused() async throws {
        try await Self.prepare(19)
        let name = try ScratchDatabase.current.name
        var holder = try vitrine.start(
            ["db", "psql", "--", "-XAtqc", "SELECT pg_sleep(600)"], variables(), output: "\(vitrine.folder)/holder")
        try await Self.wait {
            try await !Self.administer("SELECT datname::text FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = '\(name)'")
                .isEmpty
        }
        let busy = try migrate("--dry-run")
        #expect(busy.status == .code(4), "\(busy.errors)")
        #expect(
            busy.errors.contains(
                """
                error: the database cannot be copied while other sessions use it: psql (1)
                  0020_add_list_kinds adds a value to an enum, which other migrations cannot use in the same transaction
                hint: stop these programs, or restore a backup into another database and run the command there

                """), "\(busy.errors)")
        _ = try await Self.administer("SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity WHERE datname = '\(name)'")
        _ = try vitrine.end(of: &holder)

        let plain = "plain_\(name)"
        try await Self.run("CREATE ROLE \(plain) LOGIN")
        try await withConnection { connection in
            let grant = "GRANT USAGE ON SCHEMA vitrine_meta TO \(plain); GRANT SELECT ON vitrine_meta.migrations TO \(plain)"
            try await connection.runScript("grant", grant, until: .soon)
        }
        let url = try ScratchDatabase.current.url.exposed
        let other = url.contains("user=") ? url.replacing(#/user=[^&]*/#, with: "user=\(plain)") : "\(url)&user=\(plain)"
        let denied = try vitrine.run(["db", "migrate", "--dry-run"], variables: ["VITRINE_DATABASE_URL": other])
        #expect(denied.status == .code(6) && denied.errors.contains("error: the database cannot be copied: permission denied"))
        #expect(denied.errors.contains("0020_add_list_kinds adds a value") && denied.errors.contains("CREATEDB"), "\(denied.errors)")
        #expect(try await Self.administer(Self.copies) == [])
        try await withConnection { connection in
            try await connection.runScript("drop", "DROP OWNED BY \(plain); DROP ROLE \(plain)", until: .soon)
        }
    }
}
