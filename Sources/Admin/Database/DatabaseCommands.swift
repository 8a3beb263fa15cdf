internal import Commands
import Host
internal import PrivatePostgres
internal import Settings
internal import Telemetry

/// `vitrine db`: what concerns the database itself.
struct DatabaseCommands {
    let console: Console

    var command: Command {
        Command(
            "db", "Looks at the database and migrates it.",
            examples: [
                Example("vitrine db migrate", "Brings it to the schema of this program."),
                Example("vitrine db url", "Prints its URL."),
                Example("vitrine db psql -- -c 'SELECT version()'", "Asks it something."),
            ],
            subcommands: MigrationCommands(console: console).all + [url, psql])
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
            if let hint = state.hint(console) { console.say("\(hint)\n") }
            return .ok
        }
    }

    private var psql: Command {
        let arguments = Operand(variadic: "ARGUMENT", atLeast: 0, .anyText, "Passed on to psql; those that begin with a dash behind --.")
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
                console.complain("psql is not installed", advice: "Install it: apt-get install postgresql-client.")
                return .failed
            }
            var variables = console.environment
            let url = try loaded.databaseURL(console)
            guard let text = url.textWithoutPassword else {
                console.complain(
                    "psql would show the password of this URL to everybody on this machine",
                    advice: "Write it in front of the host, postgresql://user:password@host/database: there it can be handed over unseen.")
                return .invalid
            }
            if let password = url.password { variables["PGPASSWORD"] = password.exposed }
            let failure = Program(program, ["-d", text] + invocation[arguments], environment: variables).replaceThisProcess()
            console.complain("\(failure)", advice: "")
            return .failed
        }
    }

    /// On `PATH`, or else beside the newest server.
    private func psqlProgram(_ loaded: LoadedSettings) -> String? {
        let folders =
            (console.environment["PATH"] ?? "").split(separator: ":").map(String.init)
            + ServerBinaries.installed(environment: console.environment).map(\.directory)
        return folders.map { Path.join($0, "psql") }.first { Files.may(.execute, $0) }
    }
}
