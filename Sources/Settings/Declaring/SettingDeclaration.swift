package import Arguments

/// What help, the reports and the README know about a setting, whatever its type.
package struct SettingDeclaration: Sendable {
    package let name: SettingName
    /// One sentence.
    package let meaning: String
    /// Stands for the value in help: `N`, `DURATION`.
    package let placeholder: String
    /// As it would be typed, or a word for it.
    package let shownDefault: String
    package let isSecret: Bool
    package let isList: Bool
    /// Whether the file may hold a number in the place of a string.
    package let takesNumbers: Bool
    /// Whether its flag stands alone, and the file may hold true or false.
    package let isFlag: Bool
    /// Whether it can stand in the file at all.
    package let isInFile: Bool
    let choices: [String]
    let completion: CompletionHint

    /// Every variable that gives it a value.
    var variables: [String] { isSecret ? [name.variable, name.fileVariable] : [name.variable] }

    /// The setting as an option that parsing leaves to this module.
    package var option: OptionDeclaration {
        .deferred(
            name.flag, meaning, shape: isFlag ? .flag : .value(placeholder: placeholder), environment: name.variable,
            shownDefault: shownDefault,
            choices: choices, completion: completion)
    }
}
