internal import Arguments
internal import CatalogImport
internal import EmbeddedPostgres
internal import EventLoop
import Host
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
                A new epoch invalidates the sync cursors that are ahead of the database. It starts automatically after a restart, a \
                failover or a restore of the database. Run this command only for a database that cannot detect that it lost its last \
                commits, such as one from the snapshot of a machine. Run it before a worker or a server starts.
                """,
            examples: [Example("vitrine db new-epoch", "Start a new epoch.")],
            options: [Console.agreement], groups: [Settings.databaseGroup]
        ) { invocation in
            let loaded = try LoadedSettings(invocation, console: console)
            let prompt = "Start a new epoch, and invalidate the sync cursors that are ahead of the database?"
            guard try console.confirm(prompt, invocation) else { return .failed }
            try console.print("Started an epoch at version \(try startEpoch(loaded)).\n")
            return .ok
        }
    }

    private func startEpoch(_ loaded: LoadedSettings) throws -> Int {
        let session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: "vitrine db new-epoch")
        let query = PostgresQuery(NamedQuery("sync.new_epoch"))
        return try session.run { connection in
            let rows = try await connection.rows(of: query, as: Bool.self, Int.self, until: .after(.seconds(30)))
            return rows.first?.1 ?? 0
        }
    }

    /// Returns the path of psql: from `PATH`, or else from the directory of the newest server.
    private func psqlProgram(_ loaded: LoadedSettings) -> String? {
        let folders =
            (console.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            + ServerBinaries.installed(environment: console.environment).map(\.directory)
        return folders.map { Path.join($0, "psql") }.first { Files.may(.execute, $0) }
    }
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
            examples: [Example("vitrine db sample", "Load 200 items, charts and seven feeds.")], groups: [Settings.databaseGroup]
        ) { invocation in
            Signal.hold(Signal.stopping)
            let loaded = try LoadedSettings(invocation, console: console)
            var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
            session.interrupts = Signal.stopping
            let counts = try session.run { connection in try await SampleCatalog.load(connection) }
            let feeds = try session.run { connection in try await SampleFeeds.load(connection) }
            try console.print(counts.map { "Loaded \($0.new) records.\n" } ?? "The database already has a catalog.\n")
            try console.print(feeds > 0 ? "Published \(feeds) feeds.\n" : "The database already has feeds.\n")
            return .ok
        }
    }
}
