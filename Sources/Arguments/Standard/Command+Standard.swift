import Values

extension Command {
    /// Returns the commands `completion`, `complete`, `man`, `help` and `version`, for the end of a root's subcommands.
    package static func standard(program: String, version: String) -> [Command] {
        [completion(of: program), complete, manual(of: program, version: version), help, Self.version(version)]
    }

    /// Creates the command that prints the version without the program's name. It also enables `--version` at the root.
    package static func version(_ version: String) -> Command {
        Command(standard: "version", "Show the version") { invocation, _ in .text("\(invocation.root.name) \(version)\n") }
    }

    /// Creates a command whose outcome follows from the tree alone.
    init(
        standard name: String, _ abstract: String, discussion: String = "", examples: [Example] = [],
        arguments: [any ArgumentDeclaring] = [], isHidden: Bool = false,
        respond: @escaping @Sendable (Invocation, StandardCommandContext) throws(UsageError) -> ParseResult
    ) {
        self.init(
            name, abstract, discussion: discussion, examples: examples, arguments: arguments, options: [], groups: [], subcommands: [],
            isHidden: isHidden, action: .standard(respond))
    }
}

extension Command {
    package static var help: Command {
        let names = Argument(
            variadic: "COMMAND", .text.completed(by: .live(commandNames)),
            "The command, such as db migrate. Default: an overview of all commands.")
        return Command(standard: "help", "Show help", arguments: [names]) { invocation, surroundings throws(UsageError) in
            let path = try invocation.root.path(to: invocation[names], from: invocation)
            return .text(HelpPage(of: path, on: surroundings.page).text)
        }
    }

    private func path(to names: [String], from invocation: Invocation) throws(UsageError) -> CommandPath {
        var path = CommandPath(root: self)
        for name in names {
            guard name.utf8.count <= ArgumentScanner.longestName, let command = path.command.subcommand(named: name) else {
                let known = path.command.subcommands.lazy.filter { !$0.isHidden }.map(\.name)
                throw UsageError(
                    [.init(.unknownCommand, "unknown command \(name.quoted) of '\(path.names)'", suggestion: name.nearest(among: known))],
                    commandPath: path.names)
            }
            path.descend(into: command)
        }
        return path
    }

    @Sendable private static func commandNames(prefix: String, line: PartialInvocation) -> [CompletionCandidate] {
        var command = line.root
        for name in line.arguments {
            guard let next = command.subcommand(named: name) else { return [] }
            command = next
        }
        return command.commandCandidates
    }
}

/// The context of a standard command, besides its invocation.
struct StandardCommandContext: Sendable {
    let environment: [String: String]
    let page: TerminalPage
}
