extension OptionDeclaration {
    /// The option as it would be typed, with its placeholder.
    var usage: String {
        switch shape {
        case .flag: "--\(name)"
        case .negatableFlag: "--[no-]\(name)"
        case .value(let placeholder): "--\(name) \(placeholder)"
        case .secret: environment ?? "--\(name)"
        }
    }

    var helpRow: HelpSection.Row {
        let letter = short.map { "-\($0), " } ?? "    "
        return HelpSection.Row(name: shape == .secret ? usage : letter + usage, meaning: meaning)
    }

    /// The option with its letter, and its meaning.
    var definition: (term: String, meaning: String) { (short.map { "-\($0), \(usage)" } ?? usage, meaning) }

    /// The abstract, with everything else that a user needs to type the option.
    var meaning: String {
        var sentences = [abstract]
        if !choices.isEmpty { sentences.append("Choices: \(choices.joined(separator: ", ")).") }
        if isRepeatable { sentences.append("Can be repeated.") }
        if isRequired { sentences.append("Required.") }
        if let displayedDefault { sentences.append("Default: \(displayedDefault).") }
        if shape == .secret {
            sentences.append("Accepted only from the environment.")
        } else if let environment {
            sentences.append("Environment: \(environment).")
        }
        return sentences.joined(separator: " ")
    }
}

extension ArgumentDeclaration {
    var usage: String {
        switch arity {
        case .required: name
        case .optional: "[\(name)]"
        case .variadic(let least): least == 0 ? "[\(name)…]" : "\(name)…"
        }
    }

    var meaning: String {
        choices.isEmpty ? abstract : "\(abstract) Choices: \(choices.joined(separator: ", "))."
    }
}
