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
            "db", "Looks at the database, migrates it and loads it.",
            examples: [
                Example("vitrine db migrate", "Brings it to the schema of this program."),
                Example("vitrine db load catalog.jsonl", "Loads a catalog where no server runs."),
                Example("vitrine db url", "Prints its URL."),
                Example("vitrine db psql -- -c 'SELECT version()'", "Asks it something."),
            ],
            subcommands: MigrationCommands(console: console).all + [
                LoadCommand(console: console).command, SampleCommand(console: console).command, url, psql, newEpoch,
            ])
    }

    private var url: Command {
        Command(
            "url", "Prints the URL of the database.",
            discussion: "The URL that is set, with its password as •••, or that of the private PostgreSQL.",
            examples: [
                Example("vitrine db url", "Prints the URL."),
                Example("psql \"$(vitrine db url)\"", "Connects to the private PostgreSQL with it."),
            ],
            groups: [Settings.flagGroup]
        ) { invocation in
            let loaded = try LoadedSettings(invocation, console: console)
            if let url = loaded.settings.databaseURL {
                try console.print("\(url.redacted)\n")
                return .ok
            }
            let (place, state) = try ClusterState.observe(loaded.cluster)
            try console.print("\(place.url)\n")
            if let hint = state.hint(console) { console.printStatus("\(hint)\n") }
            return .ok
        }
    }

    private var psql: Command {
        let arguments = Argument(variadic: "ARGUMENT", atLeast: 0, .anyText, "Passed on to psql; those that begin with a dash behind --.")
        return Command(
            "psql", "Opens psql on the database.",
            examples: [
                Example("vitrine db psql", "Opens a prompt."),
                Example("vitrine db psql -- -c 'SELECT count(*) FROM pg_tables'", "Runs one statement."),
            ],
            operands: [arguments], groups: [Settings.flagGroup]
        ) { invocation in
            let loaded = try LoadedSettings(invocation, console: console)
            guard let program = psqlProgram(loaded) else {
                console.printError("psql is not installed", advice: "Install it: apt-get install postgresql-client.")
                return .failed
            }
            var variables = console.environment
            let url = try loaded.databaseURL(console)
            guard let text = url.textWithoutPassword else {
                console.printError(
                    "psql would show the password of this URL to everybody on this machine",
                    advice: "Write it in front of the host, postgresql://user:password@host/database: there it can be handed over unseen.")
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
            "new-epoch", "Ends the cursors of sync that have seen more than the database has.",
            discussion: """
                After a restart, a failover and a restore this happens by itself, before anything new is published. It is for a database that has \
                lost its last commits and does not show it, such as the snapshot of a whole machine: run it before a worker or a server does.
                """,
            examples: [Example("vitrine db new-epoch", "Begins another history of versions.")], groups: [Settings.flagGroup]
        ) { invocation in
            let loaded = try LoadedSettings(invocation, console: console)
            console.printStatus("an epoch begins at version \(try beginEpoch(loaded))\n")
            return .ok
        }
    }

    private func beginEpoch(_ loaded: LoadedSettings) throws -> Int {
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
            "sample", "Loads the sample catalog and its feeds.",
            discussion: """
                A database that already has a storefront keeps its catalog, and one that has a feed keeps its feeds. A server publishes the \
                feeds within seconds.
                """,
            examples: [Example("vitrine db sample", "Loads 200 items, charts and five feeds.")], groups: [Settings.flagGroup]
        ) { invocation in
            Signal.hold(Signal.stopping)
            let loaded = try LoadedSettings(invocation, console: console)
            var session = DatabaseSession(try loaded.databaseURL(console), loaded.settings, as: invocation.commandPath)
            session.interrupts = Signal.stopping
            let counts = try session.run { connection in try await SampleCatalog.load(connection) }
            let feeds = try session.run { connection in try await SampleFeeds.load(connection) }
            console.printStatus(counts.map { "\($0.new) records loaded\n" } ?? "the database already has a catalog\n")
            console.printStatus(feeds > 0 ? "\(feeds) feeds published\n" : "the database already has feeds\n")
            return .ok
        }
    }
}
