package import Arguments
import Host
internal import JSON
internal import Settings

package enum VitrineCommand {
    package static func tree(version: String, console: Console) -> Command {
        Command(
            "vitrine", "An App-Store-style catalog backend on PostgreSQL.",
            examples: [
                Example("vitrine dev", "Starts everything there is, with a private PostgreSQL."),
                Example("vitrine db psql", "Opens a SQL prompt on its database."),
                Example("vitrine doctor", "Checks what Vitrine needs on this machine."),
            ],
            subcommands: [
                DevCommand(console: console, version: version).command, ServeCommand(console: console).command,
                WorkerCommand(console: console).command,
                DatabaseCommands(console: console).command, ItemCommands(console: console).command,
                LayoutCommands(console: console).command, SyncCommands(console: console).command,
                FeedCommands(console: console).command, SectionCommands(console: console).command, PinCommands(console: console).command,
                RuleCommands(console: console).command, RevisionCommands(console: console).command,
                PublishCommand(console: console).command,
                ScheduleCommands(console: console).command, RollbackCommand(console: console).command,
                PagePreviewCommand(console: console).command, ValidateFeedsCommand(console: console).command,
                ExportCommand(console: console).command, DiffCommand(console: console).command, ApplyCommand(console: console).command,
                PromoteCommand(console: console).command, AuditCommands(console: console).command, TokenCommands(console: console).command,
                ProfileCommands(console: console).command, SettingsCommand(console: console).command,
                DoctorCommand(console: console, version: version).command,
            ] + Command.standard(program: "vitrine", version: version))
    }
}

/// `vitrine settings`: the settings in force with their sources.
struct SettingsCommand {
    let console: Console

    var command: Command {
        Command(
            "settings", "Shows the settings in force and where each was given.",
            discussion: """
                A flag wins over a variable, a variable over the file, the file over the default. All mistakes are reported at once. \
                A secret can be given as a file: VITRINE_DATABASE_URL_FILE names one that holds the URL, VITRINE_SYNC_KEYS_FILE one with keys.
                """,
            examples: [
                Example("vitrine settings", "Shows every setting."),
                Example("vitrine settings -o json", "The same for programs."),
                Example("VITRINE_EVENT_LOOPS=2 vitrine settings --log-level debug", "What a server started like this would use."),
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
