internal import JSON

/// The issues of all settings of one start. The caller ends with `ExitCode.invalid`.
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

extension SettingsError: CustomStringConvertible {
    /// A heading and a line for each of the first hundred issues.
    package var description: String {
        let heading = issues.count == 1 ? "The settings have an error:" : "The settings have \(issues.count) errors:"
        let lines = issues.prefix(Self.maxPrinted).map { "  \($0)" }
        let others = issues.count - lines.count
        return ([heading] + lines + (others > 0 ? ["  … and \(others) more"] : [])).joined(separator: "\n") + "\n"
    }
}

extension SettingsIssue {
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
    package var description: String {
        let location = origin.map { "\($0): " } ?? ""
        let suggestionText = suggestion.map { "; did you mean '\($0)'?" } ?? ""
        return location + message + suggestionText
    }
}
