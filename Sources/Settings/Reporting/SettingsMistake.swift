/// One thing that is wrong with the settings, said so that it can be mended; holds no secret.
package struct SettingsMistake: Sendable, Equatable {
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

extension SettingsMistake: CustomStringConvertible {
    package var description: String {
        let place = origin.map { "\($0): " } ?? ""
        let question = suggestion.map { "; did you mean '\($0)'?" } ?? ""
        return place + message + question
    }
}
