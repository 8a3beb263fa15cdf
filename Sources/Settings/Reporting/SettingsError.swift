package import Arguments
internal import JSON

/// The issues of all settings of one start.
package struct SettingsError: Error, Sendable, Equatable {
    /// The maximum number of issues shown. A longer list would scroll the first ones off the screen.
    private static let maxPrinted = 100

    /// The issues, never empty: first flags, then variables, the file from its top, and rules between settings.
    package let issues: [SettingsIssue]

    init(_ issues: [SettingsIssue]) {
        let ranked = issues.enumerated().map { (issue: $1, order: $1.rank + [$0]) }
        self.issues = ranked.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.issue)
    }
}

extension SettingsError {
    /// The exit code of the command: a usage error if the command line alone is invalid.
    package var exitCode: ExitCode { issues.allSatisfy(\.isUsage) ? .usage : .invalid }

    /// Returns the lines for standard error: the first hundred issues, each with its hint, and the command that prints the
    /// help.
    package func text(commandPath: String) -> String {
        let printed = issues.prefix(Self.maxPrinted).map(\.lines)
        let others = issues.count - printed.count
        return printed.joined() + (others > 0 ? "error: \(others) more invalid settings\n" : "") + "hint: run '\(commandPath) --help'\n"
    }
}

extension SettingsIssue {
    fileprivate var isUsage: Bool { if case .flag = origin { true } else { false } }

    fileprivate var lines: String {
        let hint = suggestion.map { "hint: did you mean '\($0)'?\n" } ?? ""
        return "error: \(located)\n\(hint)"
    }

    fileprivate var rank: [Int] {
        switch origin {
        case .flag: [0, 0, 0]
        case .variable, .secretFile: [1, 0, 0]
        case .file(_, let position, _): [2, position.line, position.column]
        case .default, nil: [3, 0, 0]
        }
    }
}

/// One issue of the settings with its remedy, without secrets.
package struct SettingsIssue: Sendable, Equatable {
    /// The source of the value; nil if a rule between several settings is violated.
    package let origin: SettingOrigin?
    /// The expected value and, if it may be shown, the actual one.
    package let message: String
    package let suggestion: String?

    package init(_ origin: SettingOrigin?, _ message: String, suggestion: String? = nil) {
        self.origin = origin
        self.message = message
        self.suggestion = suggestion
    }
}

extension SettingsIssue: CustomStringConvertible {
    package var description: String { located + (suggestion.map { "; did you mean '\($0)'?" } ?? "") }

    /// The message after the source of the value.
    fileprivate var located: String { (origin.map { "\($0): " } ?? "") + message }
}
