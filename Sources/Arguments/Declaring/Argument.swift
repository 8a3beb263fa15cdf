/// The declaration of an argument, and the typed key of its value in an ``Invocation``.
package struct Argument<Value: Sendable>: ArgumentDeclaring {
    package let declaration: ArgumentDeclaration

    private init<Element>(
        _ name: String, _ abstract: String, _ arity: ArgumentDeclaration.Arity, _ notation: ValueFormat<Element>, absent: (any Sendable)?,
        read: @escaping ReadValues
    ) {
        declaration = ArgumentDeclaration(
            name: name, abstract: abstract, arity: arity, choices: notation.choices, completion: notation.completion, absent: absent,
            read: read)
    }

    package init(_ name: String, _ notation: ValueFormat<Value>, _ abstract: String) {
        self.init(name, abstract, .required, notation, absent: nil, read: notation.readOne)
    }

    /// Creates an optional argument. Only optional arguments may follow it.
    package init<Element>(optional name: String, _ notation: ValueFormat<Element>, _ abstract: String) where Value == Element? {
        self.init(name, abstract, .optional, notation, absent: ParsedValue<Element?>(value: nil), read: notation.readOptional)
    }

    /// Creates the last argument, which takes all remaining words.
    package init<Element>(variadic name: String, atLeast count: Int = 0, _ notation: ValueFormat<Element>, _ abstract: String)
    where Value == [Element] {
        self.init(
            name, abstract, .variadic(atLeast: count), notation, absent: ParsedValue<[Element]>(value: []), read: notation.readMany)
    }
}
