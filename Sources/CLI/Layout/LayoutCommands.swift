internal import Arguments
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
