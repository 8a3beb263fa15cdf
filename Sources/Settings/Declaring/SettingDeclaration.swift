package import Arguments

/// A setting without its type, for help, reports and docs/settings.md.
package struct SettingDeclaration: Sendable {
    package let name: SettingName
    /// The description, in one sentence.
    package let meaning: String
    /// The placeholder of the value in help: `N`, `DURATION`.
    package let placeholder: String
    /// The default as it would be typed, or a description of it.
    package let displayedDefault: String
    package let isSecret: Bool
    package let isList: Bool
    /// Whether the file may give a number instead of a string.
    package let takesNumbers: Bool
    /// Whether its flag takes no value, so that the file gives true or false.
    package let isFlag: Bool
    /// Whether it is a flag that is true by default, so that the command line turns it off: `--no-sequencer`.
    package let isNegatable: Bool
    /// Whether the file may give the setting.
    package let isInFile: Bool
    let choices: [String]
    let completion: CompletionHint

    var variables: [String] { isSecret ? [name.variable, name.fileVariable] : [name.variable] }

    /// The flag, without its dashes, that changes the default.
    package var displayedFlag: String { isNegatable ? "no-\(name.flag)" : name.flag }

    package var option: OptionDeclaration {
        let flag: OptionDeclaration.Shape = isNegatable ? .negatableFlag : .flag
        return .deferred(
            name.flag, meaning, shape: isFlag ? flag : .value(placeholder: placeholder), environment: name.variable,
            displayedDefault: displayedDefault,
            choices: choices, completion: completion)
    }
}

struct Setting<Value: Sendable>: Sendable {
    let declaration: SettingDeclaration
    let standard: Value
    /// A closure that writes a value for display, without its secret part.
    let write: @Sendable (Value) -> String
    /// A closure that parses a value. Returns nil if the value is invalid and its issue is reported.
    let read: @Sendable (SettingInput, inout [SettingsIssue]) -> Value?
    /// Whether the value must not appear on a command line; nil if the setting is never secret.
    let isConfidential: (@Sendable (Value) -> Bool)?

    init(
        _ name: SettingName, _ notation: ValueFormat<Value>, default standard: Value, takesNumbers: Bool = false, isInFile: Bool = true,
        secretWhere isConfidential: (@Sendable (Value) -> Bool)? = nil, _ meaning: String
    ) {
        declaration = SettingDeclaration(
            name: name, meaning: meaning, placeholder: notation.placeholder, displayedDefault: notation.write(standard),
            isSecret: isConfidential != nil, isList: false, takesNumbers: takesNumbers, isFlag: Value.self == Bool.self,
            isNegatable: standard as? Bool == true, isInFile: isInFile, choices: notation.choices,
            completion: notation.completion)
        self.standard = standard
        self.isConfidential = isConfidential
        let isSecret = declaration.isSecret
        write = notation.write
        read = { given, issues in given.texts.last?.read(by: notation, isSecret: isSecret, reporting: &issues) }
    }

    /// Creates a setting with one or more values: an array in the file, a comma-separated list elsewhere.
    init<Element>(
        list name: SettingName, _ notation: ValueFormat<Element>, default standard: [Element], _ meaning: String
    ) where Value == [Element] {
        let write: @Sendable ([Element]) -> String = { $0.isEmpty ? "none" : $0.map(notation.write).joined(separator: ",") }
        declaration = SettingDeclaration(
            name: name, meaning: meaning, placeholder: "\(notation.placeholder),…", displayedDefault: write(standard), isSecret: false,
            isList: true, takesNumbers: false, isFlag: false, isNegatable: false, isInFile: true, choices: notation.choices,
            completion: notation.completion)
        self.standard = standard
        isConfidential = nil
        self.write = write
        read = { given, issues in
            // An empty list is shown as `none`.
            if standard.isEmpty, given.texts.map(\.text) == ["none"] { return [] }
            let values = given.texts.map { $0.read(by: notation, isSecret: false, reporting: &issues) }
            let accepted = values.compactMap(\.self)
            return accepted.count == values.count ? accepted : nil
        }
    }
}

/// The dotted path of a setting, such as `limits.headerBytes`, from which its other spellings derive.
package struct SettingName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String
    package let keys: [String]
    /// The name of the flag without dashes: `limits-header-bytes`.
    package let flag: String
    /// The name of the environment variable: `VITRINE_LIMITS_HEADER_BYTES`.
    package let variable: String

    /// The variable with the path of a file that holds the value, for secrets.
    package var fileVariable: String { variable + "_FILE" }

    static let variablePrefix = "VITRINE_"

    package init(stringLiteral name: StaticString) {
        description = name.description
        keys = description.split(separator: ".").map(String.init)
        flag = keys.map { $0.parts(joinedBy: "-") }.joined(separator: "-")
        variable = Self.variablePrefix + keys.map { $0.parts(joinedBy: "_").uppercased() }.joined(separator: "_")
    }
}

extension SettingName: Hashable {
    package static func == (a: SettingName, b: SettingName) -> Bool { a.description == b.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension String {
    /// Returns `headerBytes` as `header-bytes`.
    fileprivate func parts(joinedBy separator: String) -> String {
        map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
    }
}
