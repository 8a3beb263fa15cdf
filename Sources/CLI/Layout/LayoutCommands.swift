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
            "layout", "Inspect and preview layouts",
            discussion: """
                A layout is a short form, such as {"grid": {"columns": 3}} or {"preset": "tree-carousel"}, or a full layout. For a FILE \
                argument, - is standard input.
                """,
            examples: [
                Example("vitrine layout ls", "List the presets."),
                Example("vitrine layout preview tree-carousel", "Draw a preset in the terminal."),
                Example("vitrine layout show feature-pair > mine.json", "Start a custom layout from a preset."),
                Example("vitrine layout lint mine.json", "Check a layout on every screen."),
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

    private enum Format: String, CaseIterable { case json, jsonl }

    private static let format = Option(
        "output", short: "o", .choice(of: Format.self).named("FORMAT"), default: .json,
        "The output format. With jsonl, each line of the input is a request, and the output has one response per request, in order.")

    var command: Command {
        Command(
            "solve", "Compute the frames of a page",
            discussion: """
                Reads an object with environment, itemCounts and layouts, and prints frames with four decimals. If there are more sections \
                than layouts, the layouts repeat. Optional fields are configuration, measurements (objects of width and height, by section \
                and item) and newItems (Booleans, by section and item). For an invalid request, the command prints {"error": {"code", \
                "pointer", "message"}} and exits with 5. With -o jsonl, the command does not exit with 5, and ignores empty lines.
                """,
            examples: [
                Example("vitrine layout solve page.json", "Print the frames of a page."),
                Example("vitrine layout solve -o jsonl - < pages.jsonl", "Solve one page per line."),
            ],
            arguments: [LayoutSource.file], options: [Self.format]
        ) { invocation in
            let name = invocation[LayoutSource.file]
            let path = name == "-" ? "/dev/stdin" : name
            if invocation[Self.format] == .jsonl {
                try solveLines(of: path)
                return .ok
            }
            return try console.explaining {
                let response = SolveResponse(to: try LayoutSource(name: name).text())
                try console.printJSON(response)
                if case .refused = response { return .invalid }
                return .ok
            }
        }
    }

    /// Responds as soon as a line is complete, so that a program can wait for it. Memory is limited by the longest
    /// line.
    private func solveLines(of path: String) throws {
        let input = try Descriptor(opening: path, .read)
        var lines = LineSplitter(limit: JSONLimits.solving.bytes)
        while true {
            let chunk = try input.readSome(subject: path)
            var responses: [UInt8] = []
            for line in chunk.isEmpty ? lines.end() : lines.consume(chunk) {
                responses += try SolveResponse(to: line).json()
                responses.append(UInt8(ascii: "\n"))
            }
            try StandardStream.output.write(responses)
            if chunk.isEmpty { return }
        }
    }
}
