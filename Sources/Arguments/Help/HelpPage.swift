/// The help of one command, from the examples that most readers came for down to the options that every command has.
struct HelpPage {
    private let path: CommandPath
    private let page: TerminalPage

    init(of path: CommandPath, on page: TerminalPage) {
        self.path = path
        self.page = page
    }

    var text: String { HelpLayout(sections, on: page).text }

    private var command: Command { path.command }

    private var sections: [HelpSection] {
        let opening = [
            HelpSection(title: "Examples", body: .examples(command.examples)),
            HelpSection(title: "Usage", body: .usage(path.usageLines)),
            HelpSection(title: nil, body: .paragraphs([command.abstract] + command.discussion.paragraphs)),
            HelpSection(title: "Commands", body: .rows(commandRows)),
            HelpSection(title: "Operands", body: .rows(command.operands.map { .init(name: $0.name, meaning: $0.meaning) })),
        ]
        return (opening + optionSections + [closing]).filter { !$0.isEmpty }
    }

    private var commandRows: [HelpSection.Row] {
        command.subcommands.filter { !$0.isHidden }.map { .init(name: $0.name, meaning: $0.abstract) }
    }

    private var optionSections: [HelpSection] {
        let own = HelpSection(title: "Options", body: .rows(rows(of: command.options) + [helpRow] + versionRows))
        let inherited = path.ancestors.flatMap { ancestor in
            [HelpSection(title: "Options of '\(ancestor.name)'", body: .rows(rows(of: ancestor.options)))] + groupSections(of: ancestor)
        }
        return [own] + groupSections(of: command) + inherited
    }

    private func groupSections(of command: Command) -> [HelpSection] {
        command.groups.map { HelpSection(title: $0.title, body: .rows(rows(of: $0.options))) }
    }

    private func rows(of options: [OptionDeclaration]) -> [HelpSection.Row] {
        options.filter { !$0.isHidden }.map(\.helpRow)
    }

    private var helpRow: HelpSection.Row {
        HelpSection.Row(name: path.option(short: "h") == nil ? "-h, --help" : "    --help", meaning: "Shows this help.")
    }

    private var versionRows: [HelpSection.Row] {
        let isOffered = path.descendants.isEmpty && command.subcommand(named: "version") != nil
        return isOffered ? [HelpSection.Row(name: "    --version", meaning: "Shows the version.")] : []
    }

    private var closing: HelpSection {
        let hint = "See '\(path.names) COMMAND --help' for one command."
        return HelpSection(title: nil, body: .paragraphs(commandRows.isEmpty ? [] : [hint]))
    }
}

extension CommandPath {
    /// The command as it would be typed, once for each way to use it.
    var usageLines: [String] {
        var lines: [String] = []
        let required = command.allOptions.filter { $0.isRequired && !$0.isHidden }.map(\.usage)
        let opening = ["\(names) [options]"] + required
        if command.isRunnable { lines.append((opening + command.operands.map(\.usage)).joined(separator: " ")) }
        if !command.subcommands.isEmpty { lines.append((opening + ["COMMAND"]).joined(separator: " ")) }
        return lines
    }
}

extension String {
    /// The parts between empty lines, each on one line.
    var paragraphs: [String] {
        split(separator: "\n", omittingEmptySubsequences: false)
            .split(whereSeparator: \.isEmpty)
            .map { $0.joined(separator: " ") }
    }
}
