extension Command {
    /// Prints the manual page of the whole tree.
    ///
    /// - Parameters:
    ///   - program: The root's name.
    ///   - version: The program's version, without its name.
    /// - Returns: The command.
    package static func manual(of program: String, version: String) -> Command {
        Command(
            answering: "man", "Prints the manual page.",
            examples: [Example("\(program) man | man -l -", "Reads the manual.")]
        ) { invocation, _ in
            .text(ManualPage(of: invocation.root, version: version).text)
        }
    }
}
