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
            "doctor", "Checks this machine and explains what needs a hand.",
            discussion: "Exits with 1 when something needs a hand. It changes nothing.",
            examples: [
                Example("vitrine doctor", "Checks everything."), Example("vitrine doctor -o json", "The same for programs."),
            ],
            options: [OutputFormat.option], groups: [Settings.flagGroup]
        ) { invocation in
            let report = DoctorReport(version: version, checks: checks(invocation))
            switch invocation[OutputFormat.option] {
            case .table: try console.print(report.text(width: StandardStream.output.width, isColored: console.isColored(.output)))
            case .json: try StandardStream.output.write(report.json(.pretty) + [UInt8(ascii: "\n")])
            }
            return report.needsAHand ? .failed : .ok
        }
    }

    /// Returns all checks, or only the failed check of the settings if they cannot be read.
    private func checks(_ invocation: Invocation) -> [Check] {
        do throws(SettingsError) {
            return Doctor(loaded: try LoadedSettings(invocation, console: console), console: console).checks
        } catch {
            return error.issues.map { .attention("settings", "\($0)", "Correct it; vitrine settings --help lists them all.") }
                + RuntimeLibrary.all.map(\.check)
        }
    }
}
