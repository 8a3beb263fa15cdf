import Arguments
import Testing

@Suite("The issues of a declaration")
struct DeclarationIssueTests {
    @Test("Issues are found at every level of a command tree")
    func issues() {
        let rev = Option("rev", short: "r", .integer, "The revision.")
        let root = Command(
            "tool", "Works.", options: [rev],
            subcommands: [
                Command("ls", "Lists.", options: [rev]) { _ in .ok },
                Command("ls", "Lists again.") { _ in .ok },
                Command(
                    "Copy", "",
                    arguments: [
                        Argument(variadic: "FROM", .text, "From."), Argument("TO", .text, "To."), Argument("TO", .text, "To."),
                    ], options: [Option(flag: "help", "Helps."), Option(flag: "five", short: "5", "")]
                ) { _ in .ok },
            ])
        #expect(
            root.declarationIssues == [
                "tool: 'ls' is declared twice",
                "tool ls: --rev is declared twice",
                "tool ls: -r is declared twice",
                "tool Copy: 'Copy' is not a valid command name",
                "tool Copy: the summary is missing",
                "tool Copy: two arguments have the same name",
                "tool Copy: TO is required but follows an optional argument",
                "tool Copy: TO is required but follows an optional argument",
                "tool Copy: only the last argument can be variadic",
                "tool Copy: '--help' is not a valid option name",
                "tool Copy: --five has no help text",
                "tool Copy: '-5' is not an ASCII letter",
            ])
    }
}
