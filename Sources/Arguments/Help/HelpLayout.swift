/// Lays the sections of a help page out on a sheet of given width.
struct HelpLayout {
    /// Below this width a meaning stands under its name instead of beside it.
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

    /// A long example is continued with a backslash, so that it can still be copied.
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
