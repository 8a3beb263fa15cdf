/// The help of one command: its summary, the examples, which most readers need, and then the details.
struct HelpPage {
    private let path: CommandPath
    private let page: TerminalPage
    /// Whether the options are listed that the command accepts but does not use.
    private let isWhole: Bool

    init(of path: CommandPath, on page: TerminalPage, isWhole: Bool = false) {
        self.path = path
        self.page = page
        self.isWhole = isWhole
    }

    var text: String { HelpLayout(sections, on: page).text }

    private var command: Command { path.command }

    private var sections: [HelpSection] {
        let opening =
            [
                HelpSection(title: nil, body: .paragraphs([command.abstract])),
                HelpSection(title: "Examples", body: .examples(command.examples)),
                HelpSection(title: "Usage", body: .usage(path.usageLines)),
                HelpSection(title: nil, body: .paragraphs(command.discussion.paragraphs)),
            ] + commandSections + [
                HelpSection(title: "Arguments", body: .rows(command.arguments.map { .init(name: $0.name, meaning: $0.meaning) }))
            ]
        return (opening + optionSections + [closing]).filter { !$0.isEmpty }
    }

    /// The subcommands under their headings, in the order of the first command of each.
    private var commandSections: [HelpSection] {
        let visible = command.subcommands.filter { !$0.isHidden }
        return visible.map(\.heading).unique.map { heading in
            let rows = visible.filter { $0.heading == heading }.map { HelpSection.Row(name: $0.name, meaning: $0.abstract) }
            return HelpSection(title: heading ?? "Commands", body: .rows(rows))
        }
    }

    private var optionSections: [HelpSection] {
        let plain = command.options.filter { $0.heading == nil }
        let own = HelpSection(title: "Options", body: .rows(rows(of: plain) + helpRows + versionRows))
        let headed = command.options.compactMap(\.heading).unique.map { heading in
            HelpSection(title: heading, body: .rows(rows(of: command.options.filter { $0.heading == heading })))
        }
        let inherited = path.ancestors.flatMap { ancestor in
            [HelpSection(title: "Options of '\(ancestor.name)'", body: .rows(rows(of: ancestor.options)))] + groupSections(of: ancestor)
        }
        return [own] + headed + groupSections(of: command) + inherited
    }

    private func groupSections(of command: Command) -> [HelpSection] {
        command.groups.map { HelpSection(title: $0.title, body: .rows(rows(of: $0.options))) }
    }

    private func rows(of options: [OptionDeclaration]) -> [HelpSection.Row] {
        options.filter { isWhole ? !$0.isHidden : $0.isListed }.map(\.helpRow)
    }

    private var helpRows: [HelpSection.Row] {
        let name = path.option(short: "h") == nil ? "-h, --help" : "    --help"
        let whole = HelpSection.Row(name: "    --help-all", meaning: "Show this help with all settings.")
        return [HelpSection.Row(name: name, meaning: "Show this help.")] + (path.options.contains(where: \.isUnused) ? [whole] : [])
    }

    private var versionRows: [HelpSection.Row] {
        let isOffered = path.descendants.isEmpty && command.subcommand(named: "version") != nil
        return isOffered ? [HelpSection.Row(name: "    --version", meaning: "Show the version.")] : []
    }

    private var closing: HelpSection {
        let hint = "Run '\(path.names) COMMAND --help' for details."
        return HelpSection(title: nil, body: .paragraphs(commandSections.isEmpty ? [] : [hint]))
    }
}

extension CommandPath {
    /// The usage lines, one for each way to call the command.
    var usageLines: [String] {
        var lines: [String] = []
        let required = command.allOptions.filter { $0.isRequired && !$0.isHidden }.map(\.usage)
        let opening = ["\(names) [options]"] + required
        if command.isRunnable { lines.append((opening + command.arguments.map(\.usage)).joined(separator: " ")) }
        if !command.subcommands.isEmpty { lines.append((opening + ["COMMAND"]).joined(separator: " ")) }
        return lines
    }
}

extension Sequence where Element: Hashable {
    /// The elements without repetitions, in the order of their first occurrence.
    var unique: [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}

extension String {
    /// The paragraphs of the text, each on one line.
    var paragraphs: [String] {
        split(separator: "\n", omittingEmptySubsequences: false)
            .split(whereSeparator: \.isEmpty)
            .map { $0.joined(separator: " ") }
    }
}

struct HelpLayout {
    /// The width in columns below which a description starts on the line below its name.
    private static let narrow = 60

    private let sections: [HelpSection]
    private let page: TerminalPage
    private let meaningColumn: Int

    init(_ sections: [HelpSection], on page: TerminalPage) {
        self.sections = sections
        self.page = page
        let limit = min(40, page.width * 2 / 5)
        let names = sections.lazy.flatMap(\.rows).map { $0.name.count + 4 }
        meaningColumn = page.width < Self.narrow ? 8 : names.filter { $0 <= limit }.max() ?? 8
    }

    var text: String {
        sections.map { section in
            let heading = section.title.map { bold($0) + "\n" } ?? ""
            return heading + lines(of: section.body).map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    private func lines(of body: HelpSection.Body) -> [String] {
        switch body {
        case .examples(let examples): examples.flatMap(lines)
        case .usage(let lines): lines.flatMap { $0.wrapped(to: page.width, first: "  ", rest: "      ") }
        case .paragraphs(let paragraphs):
            Array(paragraphs.map { $0.wrapped(to: page.width) }.joined(separator: [""]))
        case .rows(let rows): rows.flatMap(lines)
        }
    }

    /// Returns the lines of an example. A long one is continued with a backslash, so that it can still be copied.
    private func lines(of example: Example) -> [String] {
        let command = example.line.wrapped(to: page.width - 2, first: "  ", rest: "    ")
        return command.dropLast().map { $0 + " \\" } + command.suffix(1)
            + example.effect.wrapped(to: page.width, first: "      ", rest: "      ")
    }

    private func lines(of row: HelpSection.Row) -> [String] {
        let name = "  " + row.name
        let margin = String(repeating: " ", count: meaningColumn)
        let room = meaningColumn - name.count
        guard room >= 2, page.width >= Self.narrow else {
            return [name] + row.meaning.wrapped(to: page.width, first: margin, rest: margin)
        }
        return row.meaning.wrapped(to: page.width, first: name + String(repeating: " ", count: room), rest: margin)
    }

    private func bold(_ heading: String) -> String {
        page.isColored ? "\u{1B}[1m\(heading)\u{1B}[0m" : heading
    }
}

struct HelpSection {
    enum Body {
        case examples([Example])
        case usage([String])
        case paragraphs([String])
        case rows([Row])
    }

    struct Row {
        let name: String
        let meaning: String
    }

    /// The heading of the block; nil if it has none.
    let title: String?
    let body: Body

    var rows: [Row] {
        if case .rows(let rows) = body { return rows }
        return []
    }

    var isEmpty: Bool {
        switch body {
        case .examples(let examples): examples.isEmpty
        case .usage(let lines): lines.isEmpty
        case .paragraphs(let paragraphs): paragraphs.isEmpty
        case .rows(let rows): rows.isEmpty
        }
    }
}

package struct TerminalPage: Sendable {
    /// The width in columns, from 40 to 200.
    package let width: Int
    package let isColored: Bool

    package init(width: Int = 80, isColored: Bool = false) {
        self.width = min(200, max(40, width))
        self.isColored = isColored
    }
}

extension String {
    /// Returns at least one line of at most `width` columns, margins included. A wider word has its own line and is
    /// never broken.
    func wrapped(to width: Int, first: String = "", rest: String = "") -> [String] {
        var lines: [String] = []
        var line = first
        var column = first.count
        var isFresh = true
        for word in split(separator: " ") {
            let length = word.count
            if !isFresh, column + 1 + length > width {
                lines.append(line)
                (line, column, isFresh) = (rest, rest.count, true)
            }
            line += isFresh ? word : " " + word
            column += isFresh ? length : length + 1
            isFresh = false
        }
        return lines + [line]
    }
}
