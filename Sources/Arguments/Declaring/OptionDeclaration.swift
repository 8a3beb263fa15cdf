package protocol OptionDeclaring: Sendable {
    var declaration: OptionDeclaration { get }
}

/// An option without its type, for parsing, help, completion and the manual.
package struct OptionDeclaration: OptionDeclaring {
    package enum Shape: Sendable, Equatable {
        case flag
        /// A flag that can be turned off: `--wait` and `--no-wait`.
        case negatableFlag
        case value(placeholder: String)
        /// An option that is documented with the others but rejected on the command line, which other users of the
        /// machine could read.
        case secret
    }

    package let name: String
    package let abstract: String
    package var short: Unicode.Scalar?
    package var shape: Shape
    package var isRepeatable = false
    package var isHidden = false
    /// Whether the command does not use the option. It accepts the option, and lists it only in the help of `--help-all`.
    package var isUnused = false
    /// The heading of the option in help. It is "Options" if nil.
    package var heading: String?
    package var environment: String?
    /// The default as it would be typed, or a description of it.
    package var displayedDefault: String?
    package var choices: [String] = []
    /// The values that look like options.
    var dashedValues: [String] = []
    package var completion = CompletionHint.none
    /// Whether another module reads the environment and the text. Parsing then only returns the text of the flag.
    var isDeferred = false
    /// The value of an option that is not given; nil if the option is required.
    var absent: (any Sendable)?
    let read: ReadValues

    package var declaration: OptionDeclaration { self }
    package var isRequired: Bool { absent == nil }
    /// Whether the option appears in help and completion.
    var isListed: Bool { !isHidden && !isUnused }

    init(_ name: String, _ abstract: String, shape: Shape, absent: (any Sendable)?, read: @escaping ReadValues) {
        self.name = name
        self.abstract = abstract
        self.shape = shape
        self.absent = absent
        self.read = read
    }

    /// Returns an option that another module owns. Read its text with ``Invocation/flagText(_:)`` and validate it
    /// there.
    ///
    /// The environment name and the default appear in help and are never applied here. The text of a flag is `true` or
    /// `false`.
    package static func deferred(
        _ name: String, _ abstract: String, shape: Shape, environment: String? = nil, displayedDefault: String? = nil,
        choices: [String] = [],
        completion: CompletionHint = .none
    ) -> OptionDeclaration {
        var declaration = OptionDeclaration(name, abstract, shape: shape, absent: ParsedValue<[String]>(value: [])) { texts in
            ParsedValue(value: texts)
        }
        declaration.environment = environment
        declaration.displayedDefault = displayedDefault
        declaration.choices = choices
        declaration.completion = completion
        declaration.isDeferred = true
        return declaration
    }
}

/// Options that several commands share, under their own heading in help.
package struct OptionGroup: Sendable {
    package let title: String
    package let options: [OptionDeclaration]

    package init(_ title: String, _ options: [any OptionDeclaring]) {
        self.title = title
        self.options = options.map(\.declaration)
    }

    /// Returns the same options for a command that uses only some of them.
    package func used(where isUsed: (OptionDeclaration) -> Bool) -> OptionGroup {
        let marked = options.map { option in
            var copy = option
            copy.isUnused = !isUsed(option)
            return copy
        }
        return OptionGroup(title, marked)
    }
}

package protocol ArgumentDeclaring: Sendable {
    var declaration: ArgumentDeclaration { get }
}

/// An argument without its type, for parsing, help, completion and the manual.
package struct ArgumentDeclaration: ArgumentDeclaring {
    package enum Arity: Sendable, Equatable {
        case required
        case optional
        /// All remaining words, at least this many.
        case variadic(atLeast: Int)
    }

    /// The name of the argument in usage lines, in capitals.
    package let name: String
    package let abstract: String
    package let arity: Arity
    package let choices: [String]
    package let completion: CompletionHint
    let absent: (any Sendable)?
    let read: ReadValues

    package var declaration: ArgumentDeclaration { self }
}
