internal import Arguments

/// The declaration of a setting with the way to read it.
struct Setting<Value: Sendable>: Sendable {
    let declaration: SettingDeclaration
    let standard: Value
    /// As it may be shown: a secret without what is secret in it.
    let write: @Sendable (Value) -> String
    /// Nil where the value was refused; why, has been reported.
    let read: @Sendable (SettingInput, inout [SettingsMistake]) -> Value?
    /// Whether the value must not stand on a command line; nil for settings that are no secret.
    let isConfidential: (@Sendable (Value) -> Bool)?

    /// A setting with one value.
    init(
        _ name: SettingName, _ notation: ValueFormat<Value>, default standard: Value, takesNumbers: Bool = false, isInFile: Bool = true,
        secretWhere isConfidential: (@Sendable (Value) -> Bool)? = nil, _ meaning: String
    ) {
        declaration = SettingDeclaration(
            name: name, meaning: meaning, placeholder: notation.placeholder, shownDefault: notation.write(standard),
            isSecret: isConfidential != nil, isList: false, takesNumbers: takesNumbers, isFlag: Value.self == Bool.self,
            isInFile: isInFile, choices: notation.choices,
            completion: notation.completion)
        self.standard = standard
        self.isConfidential = isConfidential
        let isSecret = declaration.isSecret
        write = notation.write
        read = { given, mistakes in given.texts.last?.read(by: notation, isSecret: isSecret, reporting: &mistakes) }
    }

    /// A setting with one or more values: an array in the file, elsewhere parted by commas.
    init<Element>(
        list name: SettingName, _ notation: ValueFormat<Element>, default standard: [Element], _ meaning: String
    ) where Value == [Element] {
        let write: @Sendable ([Element]) -> String = { $0.isEmpty ? "none" : $0.map(notation.write).joined(separator: ",") }
        declaration = SettingDeclaration(
            name: name, meaning: meaning, placeholder: "\(notation.placeholder),…", shownDefault: write(standard), isSecret: false,
            isList: true, takesNumbers: false, isFlag: false, isInFile: true, choices: notation.choices, completion: notation.completion)
        self.standard = standard
        isConfidential = nil
        self.write = write
        read = { given, mistakes in
            // As an empty one is shown.
            if standard.isEmpty, given.texts.map(\.text) == ["none"] { return [] }
            let values = given.texts.map { $0.read(by: notation, isSecret: false, reporting: &mistakes) }
            let accepted = values.compactMap(\.self)
            return accepted.count == values.count ? accepted : nil
        }
    }
}
