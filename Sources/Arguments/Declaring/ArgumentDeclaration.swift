/// Anything that can stand in a command's list of operands.
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
