import Arguments
import TestSupport
import Testing

@Suite("Help")
struct HelpTests {
    @Test(
        "Help starts with examples and shows all arguments and options of a command",
        arguments: [
            ("vitrine", [40, 80, 200]), ("vitrine publish", [40, 80, 200]), ("vitrine feed", [80]), ("vitrine feed ls", [80]),
            ("vitrine db migrate", [40, 80]), ("vitrine serve", [40, 80, 200]), ("vitrine completion", [40, 80]),
        ])
    func golden(command: String, widths: [Int]) throws {
        let arguments = command.split(separator: " ").dropFirst().map(String.init)
        for width in widths {
            let text = try help(arguments, TerminalPage(width: width))
            #expect(try Golden("help-\(command.replacing(" ", with: "-"))-\(width).txt").text(recording: text) == text)
            let tooWide = text.split(separator: "\n").filter { $0.count > width && $0.split(separator: " ").count > 1 }
            #expect(tooWide.isEmpty)
        }
    }

    @Test("The option --help and the help command print the same text")
    func helpCommand() throws {
        #expect(try help(["db", "migrate"], TerminalPage()) == text(Site.root.outcome(of: ["help", "db", "migrate"])))
    }

    @Test("Help is bold only if the page is colored")
    func color() throws {
        #expect(try help(["publish"], TerminalPage(isColored: true)).contains("\u{1B}[1mUsage\u{1B}[0m\n"))
        #expect(try !help(["publish"], TerminalPage()).contains("\u{1B}"))
    }

    @Test("The width of a page is between 40 and 200 columns", arguments: [(0, 40), (-1, 40), (80, 80), (Int.max, 200)])
    func width(requested: Int, given: Int) {
        #expect(TerminalPage(width: requested).width == given)
    }

    @Test("Hidden commands and options are left out")
    func hidden() throws {
        let secretive = Command("tool", "Works.", options: [Option(flag: "trace", "Traces.").hidden]) { _ in .ok }
        #expect(try !text(secretive.outcome(of: ["--help"])).contains("trace"))
        #expect(try !help(["db"], TerminalPage()).contains("new-epoch"))
    }

    @Test("Commands and options with a heading have their own sections")
    func headings() throws {
        let options: [any OptionDeclaring] = [
            Option(flag: "all", "List all."), Option("server", .text, "The server.").listed(under: "Connection options"),
        ]
        let commands = [Command("ls", "List", options: options) { _ in .ok }, Command("rm", "Remove") { _ in .ok }]
        let root = Command("tool", "Work", subcommands: commands.listed(under: "Files") + [Command("help", "Help") { _ in .ok }])
        let text = try text(root.outcome(of: ["--help"]))
        #expect(text.contains("\nFiles\n  ls          List\n  rm          Remove\n\nCommands\n  help "), "\(text)")
        let list = try self.text(root.outcome(of: ["ls", "--help"]))
        #expect(list.contains("\nOptions\n      --all ") && list.contains("\nConnection options\n      --server TEXT"), "\(list)")
    }

    @Test("Unused options are accepted, and only --help-all lists them")
    func unused() async throws {
        let group = Site.settings.used { $0.name == "listen" }
        let root = Command("tool", "Work", groups: [group]) { _ in .ok }
        let short = try text(root.outcome(of: ["--help"]))
        #expect(short.contains("--listen") && !short.contains("--log-level") && short.contains("--help-all"))
        #expect(try text(root.outcome(of: ["--help-all"])).contains("--log-level"))
        guard case .run = root.outcome(of: ["--log-level", "info"]) else { throw Unexpected(outcome: root.outcome(of: [])) }
        #expect(await root.completions(for: ["--lo"]).candidates.isEmpty)
        #expect(try !text(Site.root.outcome(of: ["serve", "--help"])).contains("--help-all"))
    }

    @Test("A long word is never broken")
    func longWord() throws {
        let word = String(repeating: "x", count: 300)
        let command = Command("tool", "Works \(word) well.") { _ in .ok }
        #expect(try text(command.outcome(of: ["-h"], page: TerminalPage(width: 40))).contains("Works\n\(word)\nwell.\n"))
    }

    private func help(_ arguments: [String], _ page: TerminalPage) throws -> String {
        try text(Site.root.outcome(of: arguments + ["--help"], page: page))
    }

    private func text(_ outcome: ParseResult) throws -> String {
        guard case .text(let text) = outcome else { throw Unexpected(outcome: outcome) }
        return text
    }

    private struct Unexpected: Error {
        let outcome: ParseResult
    }
}
