extension Command {
    /// The commands that every program has, ready to stand at the end of a root's subcommands.
    ///
    /// With them come `--version` and the hidden command that completion scripts call back.
    ///
    /// - Parameters:
    ///   - program: The root's name.
    ///   - version: The program's version, without its name.
    /// - Returns: `completion`, `complete`, `man`, `help` and `version`.
    package static func standard(program: String, version: String) -> [Command] {
        [completion(of: program), complete, manual(of: program, version: version), help, Self.version(version)]
    }

    /// Prints the version.
    ///
    /// - Parameter version: The program's version, without its name.
    /// - Returns: The command, which also enables `--version` at the root.
    package static func version(_ version: String) -> Command {
        Command(answering: "version", "Shows the version.") { invocation, _ in .text("\(invocation.root.name) \(version)\n") }
    }

    /// A command that knows its outcome from the tree alone.
    init(
        answering name: String, _ abstract: String, discussion: String = "", examples: [Example] = [],
        operands: [any ArgumentDeclaring] = [], isHidden: Bool = false,
        answer: @escaping @Sendable (Invocation, StandardCommandContext) throws(UsageError) -> ParseResult
    ) {
        self.init(
            name, abstract, discussion: discussion, examples: examples, operands: operands, options: [], groups: [], subcommands: [],
            isHidden: isHidden, action: .answer(answer))
    }
}
