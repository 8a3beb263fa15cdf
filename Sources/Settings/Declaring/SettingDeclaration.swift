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
    /// Whether it is a flag that is true by default, so that the command line turns it off: `--no-sequencer`.
    package let isNegatable: Bool
    /// Whether it can stand in the file at all.
    package let isInFile: Bool
    let choices: [String]
    let completion: CompletionHint

    var variables: [String] { isSecret ? [name.variable, name.fileVariable] : [name.variable] }

    /// The flag, without its dashes, that changes the default.
    package var shownFlag: String { isNegatable ? "no-\(name.flag)" : name.flag }

    package var option: OptionDeclaration {
        let flag: OptionDeclaration.Shape = isNegatable ? .negatableFlag : .flag
        return .deferred(
            name.flag, meaning, shape: isFlag ? flag : .value(placeholder: placeholder), environment: name.variable,
            shownDefault: shownDefault,
            choices: choices, completion: completion)
    }
}

struct Setting<Value: Sendable>: Sendable {
    let declaration: SettingDeclaration
    let standard: Value
    /// As it may be shown: a secret without what is secret in it.
    let write: @Sendable (Value) -> String
    /// Nil where the value was refused; why, has been reported.
    let read: @Sendable (SettingInput, inout [SettingsIssue]) -> Value?
    /// Whether the value must not stand on a command line; nil for settings that are no secret.
    let isConfidential: (@Sendable (Value) -> Bool)?

    init(
        _ name: SettingName, _ notation: ValueFormat<Value>, default standard: Value, takesNumbers: Bool = false, isInFile: Bool = true,
        secretWhere isConfidential: (@Sendable (Value) -> Bool)? = nil, _ meaning: String
    ) {
        declaration = SettingDeclaration(
            name: name, meaning: meaning, placeholder: notation.placeholder, shownDefault: notation.write(standard),
            isSecret: isConfidential != nil, isList: false, takesNumbers: takesNumbers, isFlag: Value.self == Bool.self,
            isNegatable: standard as? Bool == true, isInFile: isInFile, choices: notation.choices,
            completion: notation.completion)
        self.standard = standard
        self.isConfidential = isConfidential
        let isSecret = declaration.isSecret
        write = notation.write
        read = { given, issues in given.texts.last?.read(by: notation, isSecret: isSecret, reporting: &issues) }
    }

    /// A setting with one or more values: an array in the file, elsewhere parted by commas.
    init<Element>(
        list name: SettingName, _ notation: ValueFormat<Element>, default standard: [Element], _ meaning: String
    ) where Value == [Element] {
        let write: @Sendable ([Element]) -> String = { $0.isEmpty ? "none" : $0.map(notation.write).joined(separator: ",") }
        declaration = SettingDeclaration(
            name: name, meaning: meaning, placeholder: "\(notation.placeholder),…", shownDefault: write(standard), isSecret: false,
            isList: true, takesNumbers: false, isFlag: false, isNegatable: false, isInFile: true, choices: notation.choices,
            completion: notation.completion)
        self.standard = standard
        isConfidential = nil
        self.write = write
        read = { given, issues in
            // As an empty one is shown.
            if standard.isEmpty, given.texts.map(\.text) == ["none"] { return [] }
            let values = given.texts.map { $0.read(by: notation, isSecret: false, reporting: &issues) }
            let accepted = values.compactMap(\.self)
            return accepted.count == values.count ? accepted : nil
        }
    }
}

/// The dotted path of a setting, such as `limits.headerBytes`, from which every other spelling of it derives.
package struct SettingName: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let description: String
    package let keys: [String]
    /// Without its dashes: `limits-header-bytes`.
    package let flag: String
    /// `VITRINE_LIMITS_HEADER_BYTES`.
    package let variable: String

    /// The variable that names a file which holds the value, for secrets.
    package var fileVariable: String { variable + "_FILE" }

    static let variablePrefix = "VITRINE_"

    package init(stringLiteral name: StaticString) {
        description = name.description
        keys = description.split(separator: ".").map(String.init)
        flag = keys.map { $0.words(joinedBy: "-") }.joined(separator: "-")
        variable = Self.variablePrefix + keys.map { $0.words(joinedBy: "_").uppercased() }.joined(separator: "_")
    }
}

extension SettingName: Hashable {
    package static func == (a: SettingName, b: SettingName) -> Bool { a.description == b.description }

    package func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension String {
    /// `headerBytes` as `header-bytes`.
    fileprivate func words(joinedBy separator: String) -> String {
        map { $0.isUppercase ? separator + $0.lowercased() : String($0) }.joined()
    }
}
