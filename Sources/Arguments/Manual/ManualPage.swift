/// The manual page of a whole tree, with each command and each group of options once.
struct ManualPage {
    private let root: Command
    private let version: String

    init(of root: Command, version: String) {
        self.root = root
        self.version = version
    }

    var text: String {
        var roff = Roff(title: root.name, source: "\(root.name) \(version)")
        roff.section("NAME")
        roff.plain("\(root.name) - \(root.abstract)")
        roff.section("SYNOPSIS")
        for line in CommandPath(root: root).usageLines { roff.usage(line) }
        roff.section("DESCRIPTION")
        for paragraph in [root.abstract] + root.discussion.paragraphs { roff.paragraph(paragraph) }
        write(root.examples, under: "EXAMPLES", to: &roff)
        write(root.options.visible.map(\.definition), under: "OPTIONS", to: &roff)
        roff.section("COMMANDS")
        for path in commandPaths { write(path, to: &roff) }
        writeGroups(to: &roff)
        write(variables, under: "ENVIRONMENT", to: &roff)
        write(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }, under: "EXIT STATUS", to: &roff)
        return roff.text
    }

    private var commandPaths: [CommandPath] { Array(CommandPath(root: root).visibleTree.dropFirst()) }

    private var everyCommand: [Command] { [root] + commandPaths.map(\.command) }

    private func write(_ path: CommandPath, to roff: inout Roff) {
        roff.subsection(path.names)
        for line in path.usageLines { roff.usage(line) }
        for paragraph in [path.command.abstract] + path.command.discussion.paragraphs { roff.paragraph(paragraph) }
        for argument in path.command.arguments { roff.definition(argument.name, argument.meaning) }
        for option in path.command.options.visible { roff.definition(option.definition.term, option.definition.meaning) }
        for example in path.command.examples { roff.definition(example.line, example.effect) }
        let titles = path.command.groups.map(\.title)
        if !titles.isEmpty { roff.paragraph("This command also accepts the options under \(titles.joined(separator: ", ")).") }
    }

    private func writeGroups(to roff: inout Roff) {
        var written: Set<String> = []
        for group in everyCommand.flatMap(\.groups) where written.insert(group.title).inserted {
            write(group.options.visible.map(\.definition), under: group.title.uppercased(), to: &roff)
        }
    }

    private func write(_ examples: [Example], under title: String, to roff: inout Roff) {
        write(examples.map { ($0.line, $0.effect) }, under: title, to: &roff)
    }

    private func write(_ definitions: [(term: String, meaning: String)], under title: String, to roff: inout Roff) {
        guard !definitions.isEmpty else { return }
        roff.section(title)
        for definition in definitions { roff.definition(definition.term, definition.meaning) }
    }

    /// The environment variables in the order of the tree, each once.
    private var variables: [(term: String, meaning: String)] {
        var known: Set<String> = []
        return everyCommand.flatMap(\.allOptions).visible.compactMap { option in
            guard let name = option.environment, known.insert(name).inserted else { return nil }
            return (name, option.shape == .secret ? option.abstract : "Sets --\(option.name). \(option.abstract)")
        }
    }
}

extension Sequence where Element == OptionDeclaration {
    fileprivate var visible: [OptionDeclaration] { filter { !$0.isHidden } }
}

/// A writer for manual pages in the `man` macros. It writes line by line and escapes all text from outside.
struct Roff {
    private(set) var text: String

    /// Creates a page; `source` is the program and its version, for the footer.
    init(title: String, source: String) {
        text = ".TH \(Self.argument(title.uppercased())) 1 \"\" \(Self.argument(source))\n.nh\n.ad l\n"
    }

    mutating func section(_ title: String) { text += ".SH \(Self.argument(title))\n" }

    mutating func subsection(_ title: String) { text += ".SS \(Self.argument(title))\n" }

    mutating func plain(_ line: String) { text += "\(Self.escaped(line))\n" }

    mutating func paragraph(_ line: String) { text += ".PP\n\(Self.escaped(line))\n" }

    /// Writes a bold line that roff does not join with the next one.
    mutating func usage(_ line: String) { text += ".PP\n\\fB\(Self.escaped(line))\\fR\n" }

    /// Writes a term with its description, indented below it or next to it.
    mutating func definition(_ term: String, _ meaning: String) {
        text += ".TP\n\\fB\(Self.escaped(term))\\fR\n\(Self.escaped(meaning.isEmpty ? "\u{A0}" : meaning))\n"
    }

    private static func argument(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// Returns the text escaped for roff: hyphens that can be copied, no control lines and no escapes.
    static func escaped(_ text: String) -> String {
        var result = text.unicodeScalars.first.map { $0 == "." || $0 == "'" } == true ? "\\&" : ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\[rs]"
            case "-": result += "\\-"
            case "\"": result += "\\[dq]"
            case "'": result += "\\[aq]"
            case "`": result += "\\[ga]"
            case "^": result += "\\[ha]"
            case "~": result += "\\[ti]"
            case " "..."~": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0xA0: result += " "
            default:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
            }
        }
        return result
    }
}

extension Command {
    /// Creates the command that prints the manual page of the whole tree.
    package static func manual(of program: String, version: String) -> Command {
        Command(
            standard: "man", "Print the manual page",
            examples: [Example("\(program) man | man -l -", "Read the manual.")]
        ) { invocation, _ in
            .text(ManualPage(of: invocation.root, version: version).text)
        }
    }
}
