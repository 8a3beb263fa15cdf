/// A command with the values of a valid command line.
package struct Invocation: Sendable {
    private let path: CommandPath
    private let values: ValueTable
    private let given: [String: [String]]

    init(_ scanner: ArgumentScanner, _ values: ValueTable) {
        path = scanner.path
        given = scanner.given
        self.values = values
    }

    package var root: Command { path.root }

    package var command: Command { path.command }

    /// The names from the root to the command, as they would be typed.
    package var commandPath: String { path.names }

    /// The value of an option that the command, or one above it, declares.
    package subscript<Value>(option: Option<Value>) -> Value {
        guard let value = value(of: option) else {
            preconditionFailure("'\(commandPath)' does not declare the option --\(option.declaration.name) with this type")
        }
        return value
    }

    package subscript<Value>(argument: Argument<Value>) -> Value {
        guard let value = value(of: argument) else {
            preconditionFailure("'\(commandPath)' does not declare the argument \(argument.declaration.name) with this type")
        }
        return value
    }

    package func source<Value>(of option: Option<Value>) -> ValueSource {
        values.options[option.declaration.name]?.source ?? .default
    }

    /// Returns the text that was typed for an option; nil if it was not given as a flag. A repeated option returns its
    /// last text, a flag `true` or `false`.
    ///
    /// Use it for ``OptionDeclaration/deferred(_:_:shape:environment:shownDefault:choices:completion:)``.
    package func flagText(_ name: String) -> String? { given[name]?.last }

    /// Returns a usage error that only the command can detect, such as two options that exclude each other.
    package func usageError(_ message: String, suggestion: String? = nil, hint: String? = nil) -> UsageError {
        UsageError([.init(.rule, message, suggestion: suggestion, hint: hint)], commandPath: commandPath)
    }

    func value<Value>(of option: Option<Value>) -> Value? {
        (values.options[option.declaration.name]?.value as? ParsedValue<Value>)?.value
    }

    func value<Value>(of argument: Argument<Value>) -> Value? {
        (values.arguments[argument.declaration.name] as? ParsedValue<Value>)?.value
    }
}
