internal import Arguments
import Host
internal import JSON
internal import Layout
internal import ScreenFiles

/// `vitrine layout`: layouts without a server.
struct LayoutCommands {
    let console: Console

    var command: Command {
        Command(
            "layout", "Shows, checks, solves and draws layouts.",
            discussion: """
                A layout is a curator's short form, such as {"grid": {"columns": 3}} or {"preset": "tree-carousel"}, or the full tree. Where a \
                file is asked for, - is standard input.
                """,
            examples: [
                Example("vitrine layout ls", "Lists the presets."),
                Example("vitrine layout preview tree-carousel", "Draws one in the terminal."),
                Example("vitrine layout show feature-pair > mine.json", "Starts a layout of one's own."),
                Example("vitrine layout lint mine.json", "Tries it on every screen."),
            ],
            subcommands: LayoutListing(console: console).all + [
                ValidateCommand(console: console).command, LintCommand(console: console).command, SolveCommand(console: console).command,
                PreviewCommand(console: console).command,
            ])
    }
}

/// `vitrine layout solve`: computes the frames of a page of layouts.
struct SolveCommand {
    let console: Console

    private static let isLines = Option(
        flag: "jsonl", "Reads a request on each line and answers each on a line, in order; empty lines are passed over.")

    var command: Command {
        Command(
            "solve", "Computes the frames of a page.",
            discussion: """
                Reads an object with environment, itemCounts and layouts, and prints frames with four decimals. Section i takes layout i modulo \
                their number. Besides may stand configuration, and by section and item what a client knows: measurements, which are objects \
                of width and height, and newItems, which are true or false. What cannot be solved is answered with {"error": {"code", "pointer", "message"}} and, without \
                --jsonl, ends with 5.
                """,
            examples: [
                Example("vitrine layout solve page.json", "Prints the frames of a page."),
                Example("vitrine layout solve --jsonl - < pages.jsonl", "Answers a line for each line."),
            ],
            operands: [LayoutSource.file], options: [Self.isLines]
        ) { invocation in
            let name = invocation[LayoutSource.file]
            let path = name == "-" ? "/dev/stdin" : name
            if invocation[Self.isLines] {
                try answerLines(of: path)
                return .ok
            }
            return try console.explaining {
                let answer = SolveResponse(to: try LayoutSource(name: name).text())
                try console.printJSON(answer)
                if case .refused = answer { return .invalid }
                return .ok
            }
        }
    }

    /// Responds as soon as a line is complete, so that a program can wait for it. Memory is limited by the longest
    /// line.
    private func answerLines(of path: String) throws {
        let input = try Descriptor(opening: path, .read)
        var lines = LineSplitter(limit: JSONLimits.solving.bytes)
        while true {
            let chunk = try input.readSome(subject: path)
            var answers: [UInt8] = []
            for line in chunk.isEmpty ? lines.end() : lines.consume(chunk) {
                answers += try SolveResponse(to: line).json()
                answers.append(UInt8(ascii: "\n"))
            }
            try StandardStream.output.write(answers)
            if chunk.isEmpty { return }
        }
    }
}
