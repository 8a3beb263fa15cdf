internal import JSON

/// Everything that is wrong with the settings of one start; whoever catches it ends with `ExitCode.invalid`.
package struct SettingsError: Error, Sendable, Equatable {
    /// A longer list would push the first mistakes off the screen.
    private static let maxShown = 100

    /// Never empty: flags first, then variables, then the file from its top, then rules between settings.
    package let issues: [SettingsIssue]

    init(_ issues: [SettingsIssue]) {
        let ranked = issues.enumerated().map { (issue: $1, order: $1.rank + [$0]) }
        self.issues = ranked.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.issue)
    }
}

extension SettingsError: CustomStringConvertible {
    /// A heading and a line for each of the first hundred mistakes.
    package var description: String {
        let heading = issues.count == 1 ? "The settings have a mistake:" : "The settings have \(issues.count) mistakes:"
        let lines = issues.prefix(Self.maxShown).map { "  \($0)" }
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

/// One thing that is wrong with the settings, said so that it can be mended; holds no secret.
package struct SettingsIssue: Sendable, Equatable {
    /// Nil for a rule between several settings.
    package let origin: SettingOrigin?
    /// What would be right and, where it may be shown, what was found.
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
        let place = origin.map { "\($0): " } ?? ""
        let question = suggestion.map { "; did you mean '\($0)'?" } ?? ""
        return place + message + question
    }
}
