/// The declaration of an option, and the typed key of its value in an ``Invocation``.
///
/// `Value` is the type that the command reads: `Int?` if the option is optional, `Int` if it is required or has a
/// default, `[Int]` if it is repeatable, `Bool` for a flag.
package struct Option<Value: Sendable>: OptionDeclaring {
    package private(set) var declaration: OptionDeclaration

    /// The same option, omitted from help, completion and the manual.
    package var hidden: Option {
        var copy = self
        copy.declaration.isHidden = true
        return copy
    }

    /// Returns the same option, listed under a heading of its own in help.
    package func listed(under heading: String) -> Option {
        var copy = self
        copy.declaration.heading = heading
        return copy
    }

    private init(_ declaration: OptionDeclaration, short: Unicode.Scalar?, environment: String?) {
        self.declaration = declaration
        self.declaration.short = short
        self.declaration.environment = environment
    }

    private init<Element>(
        _ name: String, _ abstract: String, _ notation: ValueFormat<Element>, absent: (any Sendable)?, short: Unicode.Scalar?,
        environment: String?, read: @escaping ReadValues
    ) {
        let shape = OptionDeclaration.Shape.value(placeholder: notation.placeholder)
        self.init(OptionDeclaration(name, abstract, shape: shape, absent: absent, read: read), short: short, environment: environment)
        declaration.choices = notation.choices
        declaration.dashedValues = notation.dashedValues
        declaration.completion = notation.completion
    }

    package init<Element>(
        _ name: String, short: Unicode.Scalar? = nil, _ notation: ValueFormat<Element>, environment: String? = nil, _ abstract: String
    ) where Value == Element? {
        self.init(
            name, abstract, notation, absent: ParsedValue<Element?>(value: nil), short: short, environment: environment,
            read: notation.readOptional)
    }

    package init(
        _ name: String, short: Unicode.Scalar? = nil, _ notation: ValueFormat<Value>, default value: Value, environment: String? = nil,
        _ abstract: String
    ) {
        self.init(
            name, abstract, notation, absent: ParsedValue(value: value), short: short, environment: environment, read: notation.readOne)
        declaration.displayedDefault = notation.write(value)
    }

    package init(
        required name: String, short: Unicode.Scalar? = nil, _ notation: ValueFormat<Value>, environment: String? = nil, _ abstract: String
    ) {
        self.init(name, abstract, notation, absent: nil, short: short, environment: environment, read: notation.readOne)
    }

    /// Creates an option that may be given any number of times.
    package init<Element>(
        repeating name: String, short: Unicode.Scalar? = nil, _ notation: ValueFormat<Element>, environment: String? = nil,
        _ abstract: String
    ) where Value == [Element] {
        self.init(
            name, abstract, notation, absent: ParsedValue<[Element]>(value: []), short: short, environment: environment,
            read: notation.readMany)
        declaration.isRepeatable = true
    }
}

extension Option where Value == Bool {
    /// Creates a flag, which is false by default.
    package init(flag name: String, short: Unicode.Scalar? = nil, environment: String? = nil, _ abstract: String) {
        self.init(name, abstract, shape: .flag, default: false, short: short, environment: environment)
    }

    /// Creates a flag that `--no-` before its name turns off.
    package init(negatable name: String, short: Unicode.Scalar? = nil, default value: Bool, environment: String? = nil, _ abstract: String)
    {
        self.init(name, abstract, shape: .negatableFlag, default: value, short: short, environment: environment)
        declaration.displayedDefault = value ? "--\(name)" : "--no-\(name)"
    }

    private init(
        _ name: String, _ abstract: String, shape: OptionDeclaration.Shape, default value: Bool, short: Unicode.Scalar?,
        environment: String?
    ) {
        let declaration = OptionDeclaration(
            name, abstract, shape: shape, absent: ParsedValue(value: value), read: ValueFormat<Bool>.bool.readOne)
        self.init(declaration, short: short, environment: environment)
    }
}
