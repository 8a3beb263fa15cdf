package import Arguments
import Host
internal import JSON
internal import Settings

package enum VitrineCommand {
    package static func tree(version: String, console: Console) -> Command {
        Command(
            "vitrine", "Serve an App-Store-style catalog from PostgreSQL",
            discussion: """
                A feed is an ordered list of sections with items of the catalog. Curators edit feeds, and clients show them as pages. Each \
                edit saves a new revision of a feed, the draft. Clients see a revision after it is published.

                Exit codes: 0 success, 1 failure, 2 differences, findings or warnings (--exit-code), 3 not found, 4 conflict, 5 invalid \
                input, 6 not allowed, 7 unreachable, 64 usage error, 130 interrupted.
                """,
            examples: [
                Example("vitrine dev", "Start a server with sample data and its own PostgreSQL."),
                Example("vitrine db psql", "Open a SQL prompt on the database."),
                Example("vitrine doctor", "Check that this machine can run Vitrine."),
            ],
            subcommands: run(version, console).listed(under: "Run") + feeds(console).listed(under: "Feeds")
                + publishing(console).listed(under: "Publish") + files(console).listed(under: "Files")
                + catalog(console).listed(under: "Catalog") + access(console).listed(under: "Access")
                + help(version, console).listed(under: "Help"))
    }

    private static func run(_ version: String, _ console: Console) -> [Command] {
        [
            DevCommand(console: console, version: version).command, ServeCommand(console: console).command,
            WorkerCommand(console: console).command, DatabaseCommands(console: console).command,
        ]
    }

    private static func feeds(_ console: Console) -> [Command] {
        [
            FeedCommands(console: console).command, SectionCommands(console: console).command, PinCommands(console: console).command,
            RuleCommands(console: console).command, LayoutCommands(console: console).command,
        ]
    }

    private static func publishing(_ console: Console) -> [Command] {
        [
            RevisionCommands(console: console).command, PagePreviewCommand(console: console).command,
            PublishCommand(console: console).command, ScheduleCommands(console: console).command,
            RollbackCommand(console: console).command, ExperimentCommands(console: console).command,
            ImpressionCommands(console: console).command, StatusCommand(console: console).command,
        ]
    }

    private static func files(_ console: Console) -> [Command] {
        [
            ExportCommand(console: console).command, ValidateFeedsCommand(console: console).command,
            DiffCommand(console: console).command, ApplyCommand(console: console).command, PromoteCommand(console: console).command,
        ]
    }

    private static func catalog(_ console: Console) -> [Command] {
        [
            ItemCommands(console: console).command, StorefrontCommands(console: console).command,
            CategoryCommands(console: console).command, ChartCommands(console: console).command,
            PlatformCommands(console: console).command, RatingSchemeCommands(console: console).command,
            SyncCommands(console: console).command,
        ]
    }

    private static func access(_ console: Console) -> [Command] {
        [
            TokenCommands(console: console).command, ProfileCommands(console: console).command, AuditCommands(console: console).command,
            APICommand(console: console).command,
        ]
    }

    private static func help(_ version: String, _ console: Console) -> [Command] {
        [SettingsCommand(console: console).command, DoctorCommand(console: console, version: version).command]
            + Command.standard(program: "vitrine", version: version)
    }
}

/// `vitrine settings`: the settings in force with their sources.
struct SettingsCommand {
    let console: Console

    var command: Command {
        Command(
            "settings", "Show the settings in effect",
            discussion: """
                Each setting is shown with its source. An option overrides a variable, which overrides the settings file, which \
                overrides the default. All invalid settings are reported together. A secret can be read from a file: \
                VITRINE_DATABASE_URL_FILE names the file of the database URL, and VITRINE_SYNC_KEYS_FILE the file of the sync keys.
                """,
            examples: [
                Example("vitrine settings", "Show every setting."),
                Example("vitrine settings -o json", "Print the settings as JSON."),
                Example(
                    "VITRINE_EVENT_LOOPS=2 vitrine settings --log-level debug",
                    "Show the settings of a server that is started the same way."),
            ],
            options: [OutputFormat.option], groups: [Settings.flagGroup]
        ) { invocation in
            let effective = try LoadedSettings(invocation, console: console).effective
            switch invocation[OutputFormat.option] {
            case .table: try console.print(effective.table(width: StandardStream.output.width))
            case .json: try StandardStream.output.write(effective.json(.pretty) + [UInt8(ascii: "\n")])
            }
            return .ok
        }
    }
}
