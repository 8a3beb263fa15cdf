package import Arguments

/// The whole command tree of the program.
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
