package protocol OptionDeclaring: Sendable {
    var declaration: OptionDeclaration { get }
}

/// What parsing, help, completion and the manual know about an option, whatever its type.
package struct OptionDeclaration: OptionDeclaring {
    package enum Shape: Sendable, Equatable {
        case flag
        /// A flag that can also be denied: `--wait` and `--no-wait`.
        case negatableFlag
        case value(placeholder: String)
        /// Documented beside the others, but refused on the command line, where other users of the machine could read it.
        case secret
    }

    package let name: String
    package let abstract: String
    package var short: Unicode.Scalar?
    package var shape: Shape
    package var isRepeatable = false
    package var isHidden = false
    package var environment: String?
    /// The default as it would be typed, or a word for it.
    package var shownDefault: String?
    package var choices: [String] = []
    package var completion = CompletionHint.none
    /// Whether another module reads the environment and the text; parsing then only says what the flag was given.
    var isDeferred = false
    /// The value where nothing is given; nil where the option is required.
    var absent: (any Sendable)?
    let read: ReadValues

    package var declaration: OptionDeclaration { self }
    package var isRequired: Bool { absent == nil }

    init(_ name: String, _ abstract: String, shape: Shape, absent: (any Sendable)?, read: @escaping ReadValues) {
        self.name = name
        self.abstract = abstract
        self.shape = shape
        self.absent = absent
        self.read = read
    }

    /// An option that another module owns: read its text with ``Invocation/flagText(_:)`` and judge it there.
    ///
    /// The environment name and the default are shown in help and never applied here; a flag's text is `true` or `false`.
    package static func deferred(
        _ name: String, _ abstract: String, shape: Shape, environment: String? = nil, shownDefault: String? = nil, choices: [String] = [],
        completion: CompletionHint = .none
    ) -> OptionDeclaration {
        var declaration = OptionDeclaration(name, abstract, shape: shape, absent: ParsedValue<[String]>(value: [])) { texts in
            ParsedValue(value: texts)
        }
        declaration.environment = environment
        declaration.shownDefault = shownDefault
        declaration.choices = choices
        declaration.completion = completion
        declaration.isDeferred = true
        return declaration
    }
}

/// Options that several commands share, under a heading of their own in help.
package struct OptionGroup: Sendable {
    package let title: String
    package let options: [OptionDeclaration]

    package init(_ title: String, _ options: [any OptionDeclaring]) {
        self.title = title
        self.options = options.map(\.declaration)
    }
}

package protocol ArgumentDeclaring: Sendable {
    var declaration: ArgumentDeclaration { get }
}

/// What parsing, help, completion and the manual know about an operand, whatever its type.
package struct ArgumentDeclaration: ArgumentDeclaring {
    package enum Arity: Sendable, Equatable {
        case required
        case optional
        /// All words that are left, at least this many.
        case variadic(atLeast: Int)
    }

    /// Stands for the operand in usage lines, in capitals.
    package let name: String
    package let abstract: String
    package let arity: Arity
    package let choices: [String]
    package let completion: CompletionHint
    let absent: (any Sendable)?
    let read: ReadValues

    package var declaration: ArgumentDeclaration { self }
}
