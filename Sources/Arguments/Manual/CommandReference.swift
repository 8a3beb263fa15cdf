/// The reference of a whole tree in Markdown: the commands under the headings of the root's help, then the options
/// that several commands share, and the exit codes.
package struct CommandReference {
    private static let width = 120

    private let root: Command
    /// The documents that list the options of a heading, by the heading. The reference links to them.
    private let documents: [String: String]

    package init(of root: Command, documents: [String: String] = [:]) {
        self.root = root
        self.documents = documents
    }

    package var text: String {
        let families = paths.filter { $0.descendants.count == 1 }.map(\.command.heading).unique
        let blocks = families.flatMap(blocks) + sharedBlocks + exitCodes
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private var paths: [CommandPath] { Array(CommandPath(root: root).visibleTree.dropFirst()) }

    // MARK: Commands

    private func blocks(under heading: String?) -> [String] {
        let paths = self.paths.filter { $0.descendants.first?.heading == heading }
        let rows = paths.map { ["[`\($0.names)`](#\($0.names.anchor))", $0.command.abstract.markdown] }
        return ["## \(heading ?? "Commands")", Self.table(["Command", "Description"], rows)] + paths.flatMap(blocks)
    }

    private func blocks(of path: CommandPath) -> [String] {
        let command = path.command
        let title = String(repeating: "#", count: 2 + path.descendants.count) + " \(path.names)"
        let paragraphs = ["\(command.abstract)."] + command.discussion.paragraphs
        let options = command.options.filter { $0.isListed && $0.heading == nil }
        return [title] + paragraphs.prefix(1).map(Self.paragraph) + [Self.code(path.usageLines)]
            + paragraphs.dropFirst().map(Self.paragraph)
            + [
                Self.table(["Argument", "Description"], command.arguments.map { ["`\($0.name)`", $0.meaning.markdown] }),
                Self.table(["Option", "Description"], options.map(Self.row)), links(of: command),
                Self.code(command.examples.map { "# \($0.effect)\n\($0.line)" }),
            ].filter { !$0.isEmpty }
    }

    /// Returns a list of the shared options that the command uses, with links to their descriptions.
    private func links(of command: Command) -> String {
        shared(by: command).map { group in
            let used = group.options.filter(\.isListed)
            let document = documents[group.title]
            let isWhole = used.count == group.options.count && document != nil
            let names = isWhole ? "all" : used.map { "--\($0.name)".code }.joined(separator: ", ")
            return "* [\(group.title)](\(document ?? "#\(group.title.anchor)")): \(names)"
        }.flatMap { $0.wrapped(to: Self.width, rest: "  ") }.joined(separator: "\n")
    }

    // MARK: Shared options

    private func shared(by command: Command) -> [OptionGroup] {
        let headings = command.options.compactMap(\.heading).unique
        return headings.map { heading in OptionGroup(heading, command.options.filter { $0.heading == heading && $0.isListed }) }
            + command.groups
    }

    /// The shared options that no other document lists, each once.
    private var sharedBlocks: [String] {
        let groups = ([root] + paths.map(\.command)).flatMap(shared).filter { documents[$0.title] == nil }
        return groups.map(\.title).unique.flatMap { title in
            let options = groups.filter { $0.title == title }.flatMap(\.options).filter { !$0.isHidden }
            let rows = options.map(\.name).unique.compactMap { name in options.first { $0.name == name }.map(Self.row) }
            return ["## \(title)", Self.table(["Option", "Description"], rows)]
        }
    }

    private var exitCodes: [String] {
        let rows = ExitCode.allCases.map { ["\($0.rawValue)", $0.meaning.markdown] }
        return ["## Exit codes", Self.table(["Code", "Meaning"], rows)]
    }

    // MARK: Markdown

    private static func row(of option: OptionDeclaration) -> [String] {
        let (term, meaning) = option.definition
        return [term.code, meaning.markdown]
    }

    private static func paragraph(_ text: String) -> String { text.markdown.wrapped(to: width).joined(separator: "\n") }

    private static func code(_ lines: [String]) -> String {
        lines.isEmpty ? "" : "```sh\n\(lines.joined(separator: "\n"))\n```"
    }

    private static func table(_ heading: [String], _ rows: [[String]]) -> String {
        guard !rows.isEmpty else { return "" }
        let lines = [heading, heading.map { _ in "---" }] + rows
        return lines.map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
    }
}

extension String {
    /// The text in code font. A vertical line does not end a cell of a table.
    fileprivate var code: String { "`\(replacing("|", with: "\\|"))`" }

    /// The fragment of a link to the heading with this text.
    fileprivate var anchor: String { lowercased().replacing(" ", with: "-") }

    /// The text with options and variables in code font, and with escapes for Markdown syntax.
    fileprivate var markdown: String {
        split(separator: " ", omittingEmptySubsequences: false).map { word in
            let end = word.lastIndex { !".,;:)".contains($0) }.map { word.index(after: $0) } ?? word.startIndex
            let name = word[..<end]
            return name.isOption || name.isVariable ? "`\(name)`\(word[end...])" : word.map(Self.escaped).joined()
        }.joined(separator: " ")
    }

    private static func escaped(_ character: Character) -> String {
        "\\`*<[|".contains(character) ? "\\\(character)" : String(character)
    }
}

extension Substring {
    /// Whether the word is an option, such as `--until` or `-o`.
    fileprivate var isOption: Bool {
        let name = drop { $0 == "-" }
        return (hasPrefix("--") || name.count == 1) && name.count < count && name.allSatisfy { $0.isLetter || $0 == "-" }
    }

    /// Whether the word is the name of an environment variable.
    fileprivate var isVariable: Bool { contains("_") && allSatisfy { $0 == "_" || $0.isUppercase || $0.isNumber } }
}
