import Values

extension Command {
    /// Shows the help of the command whose names follow it.
    package static var help: Command {
        let names = Argument(
            variadic: "COMMAND", .text.completed(by: .live(commandNames)), "The command to explain, with the commands above it.")
        return Command(answering: "help", "Explains a command.", operands: [names]) { invocation, surroundings throws(UsageError) in
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
                    [.init(.unknownCommand, "'\(path.names)' has no command \(name.quoted).", suggestion: name.nearest(among: known))],
                    commandPath: invocation.commandPath)
            }
            path.descend(into: command)
        }
        return path
    }

    @Sendable private static func commandNames(prefix: String, line: PartialInvocation) -> [CompletionCandidate] {
        var command = line.root
        for name in line.words {
            guard let next = command.subcommand(named: name) else { return [] }
            command = next
        }
        return command.commandCandidates
    }
}
