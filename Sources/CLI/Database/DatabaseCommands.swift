internal import Arguments
internal import CatalogImport
internal import EmbeddedPostgres
internal import EventLoop
import Host
internal import JSON
internal import Postgres
internal import Settings
internal import Telemetry

/// `vitrine db`: commands for the database itself.
struct DatabaseCommands {
    let console: Console

    var command: Command {
        Command(
            "db", "Manage the database",
            examples: [
                Example("vitrine db migrate", "Apply the pending migrations."),
                Example("vitrine db load catalog.jsonl", "Import a catalog file without a server."),
                Example("vitrine db url", "Print the URL."),
                Example("vitrine db psql -- -c 'SELECT version()'", "Run one statement."),
            ],
            subcommands: MigrationCommands(console: console).all + [
                LoadCommand(console: console).command, SampleCommand(console: console).command, url, psql, newEpoch,
            ])
    }

    private var url: Command {
        Command(
            "url", "Print the URL of the database",
            discussion: "Prints the configured URL with its password as •••, or else the URL of the embedded PostgreSQL.",
            examples: [
                Example("vitrine db url", "Print the URL."),
                Example("psql \"$(vitrine db url)\"", "Connect to the embedded PostgreSQL."),
            ],
            groups: [Settings.databaseGroup]
        ) { invocation in
            let loaded = try LoadedSettings(invocation, console: console)
            if let url = loaded.settings.databaseURL {
                try console.print("\(url.redacted)\n")
                return .ok
            }
            let (paths, state) = try ClusterState.observe(loaded.cluster)
            try console.print("\(paths.url)\n")
            if let hint = state.hint(console) {
                console.printStatus("warning: the embedded PostgreSQL is not running\nhint: \(hint)\n")
            }
            return .ok
        }
    }

    private var psql: Command {
        let arguments = Argument(variadic: "ARGUMENT", atLeast: 0, .anyText, "The arguments of psql. Write options after --.")
        return Command(
            "psql", "Open psql on the database",
            examples: [
                Example("vitrine db psql", "Open a prompt."),
                Example("vitrine db psql -- -c 'SELECT count(*) FROM pg_tables'", "Run one statement."),
            ],
            arguments: [arguments], groups: [Settings.databaseGroup]
        ) { invocation in
            let loaded = try LoadedSettings(invocation, console: console)
            guard let program = psqlProgram(loaded) else {
                console.printError("psql is not installed", advice: "install it with 'apt-get install postgresql-client'")
                return .failed
            }
            var variables = console.environment
            let url = try loaded.databaseURL(console)
            guard let text = url.textWithoutPassword else {
                console.printError(
                    "psql would expose the password of this URL to other users of this machine",
                    advice: "write the password before the host: postgresql://user:password@host/database")
                return .invalid
            }
            if let password = url.password { variables["PGPASSWORD"] = password.exposed }
            let failure = ProcessLaunch(program, ["-d", text] + invocation[arguments], environment: variables).replaceThisProcess()
            console.printError("\(failure)", advice: "")
            return .failed
        }
    }

    private var newEpoch: Command {
        Command(
            "new-epoch", "Start a new epoch of versions",
            discussion: """
                An epoch is one continuous history of versions. A new epoch invalidates the sync cursors that are ahead of the database. \
                It starts automatically after a restart, a failover or a restore of the database. Run this command only for a database \
                that cannot detect that it lost its last commits, such as one from the snapshot of a machine. Run it before a worker or a \
                server starts.
                """,
            examples: [Example("vitrine db new-epoch", "Start a new epoch.")],
            options: [Console.dryRun, Console.agreement, OutputFormat.option], groups: [Settings.databaseGroup]
        ) { invocation in
            let loaded = try LoadedSettings(invocation, console: console)
            let isDry = invocation[Console.dryRun]
            let prompt = "Start a new epoch, and invalidate the sync cursors that are ahead of the database?"
            guard try isDry || console.confirm(prompt, invocation) else { return .failed }
            let epoch = try startEpoch(loaded, isDry: isDry)
            switch invocation[OutputFormat.option] {
            case .table: try console.print("\(isDry ? "Would start" : "Started") an epoch at version \(epoch.startVersion).\n")
            case .json: try console.printJSON(epoch)
            }
            if isDry { console.printStatus(Console.noChanges) }
            return .ok
        }
    }

    private func startEpoch(_ loaded: LoadedSettings, isDry: Bool) throws -> StartedEpoch {
        let session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: "vitrine db new-epoch")
        let query = PostgresQuery(NamedQuery("sync.new_epoch"))
        let end = Deadline.after(.seconds(30))
        return try session.run { connection in
            do {
                return try await connection.transaction(until: end) { connection in
                    let rows = try await connection.rows(of: query, as: Bool.self, Int.self, until: end)
                    let epoch = StartedEpoch(startVersion: rows.first?.1 ?? 0)
                    if isDry { throw DryRun(epoch: epoch) }
                    return epoch
                }
            } catch let dryRun as DryRun {
                return dryRun.epoch
            }
        }
    }

    /// An error that rolls back a dry run.
    private struct DryRun: Error {
        let epoch: StartedEpoch
    }

    /// Returns the path of psql: from `PATH`, or else from the directory of the newest server.
    private func psqlProgram(_ loaded: LoadedSettings) -> String? {
        let folders =
            (console.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            + ServerBinaries.installed(environment: console.environment).map(\.directory)
        return folders.map { Path.join($0, "psql") }.first { Files.may(.execute, $0) }
    }
}

private struct StartedEpoch: Sendable, JSONObjectEncodable {
    /// The version from which the history differs from that of other epochs.
    let startVersion: Int

    func encodeMembers(to json: inout JSONWriter) { json.member("startVersion", startVersion) }
}

/// `vitrine db sample`: the sample catalog and its feeds, for trying out a server.
struct SampleCommand {
    let console: Console

    var command: Command {
        Command(
            "sample", "Load the sample catalog and its feeds",
            discussion: """
                If the database already has a storefront, its catalog does not change. If it already has a feed, its feeds do not \
                change. A running server publishes the sample feeds within seconds.
                """,
            examples: [Example("vitrine db sample", "Load 200 items, charts and seven feeds.")],
            options: [Console.dryRun, OutputFormat.option], groups: [Settings.databaseGroup]
        ) { invocation in
            Signal.hold(Signal.stopping)
            let loaded = try LoadedSettings(invocation, console: console)
            var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
            session.interrupts = Signal.stopping
            let isDry = invocation[Console.dryRun]
            let records = try session.run { connection in
                try await isDry ? SampleCatalog.missingRecords(connection) : SampleCatalog.load(connection)?.new ?? 0
            }
            let feeds = try session.run { connection in
                try await isDry ? SampleFeeds.missingFeeds(connection) : SampleFeeds.load(connection)
            }
            let sample = LoadedSample(recordCount: records, feedCount: feeds)
            switch invocation[OutputFormat.option] {
            case .table: try console.print(sample.text(isDry: isDry))
            case .json: try console.printJSON(sample)
            }
            if isDry { console.printStatus(Console.noChanges) }
            return .ok
        }
    }
}

private struct LoadedSample: Sendable, JSONObjectEncodable {
    /// The number of records, or 0 if the database already has a catalog.
    let recordCount: Int
    /// The number of published feeds, or 0 if the database already has feeds.
    let feedCount: Int

    func text(isDry: Bool) -> String {
        let records = recordCount > 0 ? "\(isDry ? "Would load" : "Loaded") \(recordCount) records." : "The database already has a catalog."
        let feeds = feedCount > 0 ? "\(isDry ? "Would publish" : "Published") \(feedCount) feeds." : "The database already has feeds."
        return "\(records)\n\(feeds)\n"
    }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("recordCount", recordCount)
        json.member("feedCount", feedCount)
    }
}
