struct CommandPath: Sendable {
    let root: Command
    private(set) var descendants: [Command] = []

    var command: Command { descendants.last ?? root }

    /// The names as they would be typed.
    var names: String { ([root] + descendants).map(\.name).joined(separator: " ") }

    var upwards: [Command] { descendants.reversed() + [root] }

    var ancestors: [Command] { Array(upwards.dropFirst()) }

    /// The options that are valid on the command line here, the nearest level first.
    var options: [OptionDeclaration] { upwards.flatMap(\.allOptions) }

    /// This command and its visible descendants, each before its own subcommands.
    var visibleTree: [CommandPath] {
        [self]
            + command.subcommands.filter { !$0.isHidden }.flatMap { subcommand in
                var path = self
                path.descend(into: subcommand)
                return path.visibleTree
            }
    }

    mutating func descend(into command: Command) {
        descendants.append(command)
    }

    func option(named name: some StringProtocol) -> OptionDeclaration? { option { $0.name.isSpelled(name) } }

    func option(short letter: Unicode.Scalar) -> OptionDeclaration? { option { $0.short == letter } }

    private func option(where isMeant: (OptionDeclaration) -> Bool) -> OptionDeclaration? {
        for command in upwards {
            if let found = command.options.first(where: isMeant) { return found }
            for group in command.groups {
                if let found = group.options.first(where: isMeant) { return found }
            }
        }
        return nil
    }
}

extension Command {
    var allOptions: [OptionDeclaration] { options + groups.flatMap(\.options) }

    func subcommand(named name: String) -> Command? { subcommands.first { $0.name.isSpelled(name) } }
}
