internal import Arguments
import Host
internal import JSON
internal import Settings

/// `vitrine doctor`: a check of this machine, with remedies.
struct DoctorCommand {
    let console: Console
    let version: String

    var command: Command {
        Command(
            "doctor", "Check this machine",
            discussion: "Each issue is shown with its remedy. Exits with 1 if there is an issue. The command changes nothing.",
            examples: [
                Example("vitrine doctor", "Run all checks."), Example("vitrine doctor -o json", "Print the checks as JSON."),
            ],
            options: [OutputFormat.option], groups: [Settings.flagGroup]
        ) { invocation in
            let report = DoctorReport(version: version, checks: checks(invocation))
            switch invocation[OutputFormat.option] {
            case .table: try console.print(report.text(width: StandardStream.output.width, isColored: console.isColored(.output)))
            case .json: try StandardStream.output.write(report.json(.pretty) + [UInt8(ascii: "\n")])
            }
            return report.hasIssues ? .failed : .ok
        }
    }

    /// Returns all checks, or only the failed check of the settings if they cannot be read.
    private func checks(_ invocation: Invocation) -> [Check] {
        do throws(SettingsError) {
            return Doctor(loaded: try LoadedSettings(invocation, console: console), console: console).checks
        } catch {
            return error.issues.map { .attention("settings", "\($0)", "Correct the setting. vitrine settings --help lists all settings.") }
                + RuntimeLibrary.all.map(\.check)
        }
    }
}
