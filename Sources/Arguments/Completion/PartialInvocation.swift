/// What an unfinished command line says so far; nothing in it needs to be complete or right.
package struct PartialInvocation: Sendable {
    private let invocation: Invocation
    /// The operands before the cursor, as they were typed.
    package let words: [String]

    init(_ scanner: ArgumentScanner, environment: [String: String]) {
        invocation = Invocation(scanner, ValueTable(scanner, environment: environment))
        words = scanner.operands
    }

    /// The tree that the command line is read against.
    package var root: Command { invocation.root }

    /// Nil where the option is wrong, or required and not yet given.
    package subscript<Value>(option: Option<Value>) -> Value? { invocation.value(of: option) }

    /// Nil where the operand is wrong, or required and not yet given.
    package subscript<Value>(operand: Argument<Value>) -> Value? { invocation.value(of: operand) }

    /// What was typed for an option, or nil where it was not given as a flag.
    package func flagText(_ name: String) -> String? { invocation.flagText(name) }
}
