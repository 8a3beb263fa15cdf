internal import Arguments
import Host
internal import JSON
internal import Settings

/// `vitrine settings`: the settings in force and where each was given.
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
                Example("VITRINE_LOOPS=2 vitrine settings --log-level debug", "What a server started like this would use."),
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
