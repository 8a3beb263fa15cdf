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
                    operands: [
                        Argument(variadic: "FROM", .text, "From."), Argument("TO", .text, "To."), Argument("TO", .text, "To."),
                    ], options: [Option(flag: "help", "Helps."), Option(flag: "five", short: "5", "")]
                ) { _ in .ok },
            ])
        #expect(
            root.declarationIssues == [
                "tool: 'ls' is declared twice",
                "tool ls: --rev is declared twice",
                "tool ls: -r is declared twice",
                "tool Copy: 'Copy' is no name for a command",
                "tool Copy: has no abstract",
                "tool Copy: two operands share a name",
                "tool Copy: TO is required behind one that may be missing",
                "tool Copy: TO is required behind one that may be missing",
                "tool Copy: a variadic operand is not the last one",
                "tool Copy: '--help' is no name for an option",
                "tool Copy: --five has no abstract",
                "tool Copy: '-5' is no ASCII letter",
            ])
    }
}
