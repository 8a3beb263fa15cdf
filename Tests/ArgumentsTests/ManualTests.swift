import Arguments
import TestSupport
import Testing

@Suite("The manual page")
struct ManualTests {
    @Test("The manual page documents the whole command tree")
    func golden() throws {
        let text = manual(of: Site.root)
        #expect(try Golden("vitrine.1").text(recording: text) == text)
    }

    @Test("The manual page is accepted by groff without a warning", .enabled(if: Tool.isInstalled("groff"), "groff is not installed"))
    func groff() throws {
        let result = try Tool.run("groff", ["-man", "-Tutf8", "-ww"], input: manual(of: Site.root))
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    @Test("Text with roff syntax is printed as it was written", .enabled(if: Tool.isInstalled("groff"), "groff is not installed"))
    func escaping() throws {
        let texts = [".TH \\fB evil", "'br quoted", "back\\slash \\n(xx", "a-b --c ^~`'\"", "Grüße, 日本 🙂", "\u{7}bell"]
        let command = Command(
            "tool", "Works.", discussion: texts.joined(separator: "\n\n"), subcommands: Command.standard(program: "tool", version: "1"))
        let result = try Tool.run("groff", ["-man", "-Tutf8", "-ww", "-Kutf8", "-P-cbou"], input: manual(of: command))
        #expect(result.errors.isEmpty)
        for text in texts.dropLast() { #expect(result.output.contains(text)) }
        #expect(result.output.contains("bell"))
    }

    @Test("The reference in Markdown documents the whole command tree, and links to the documents of shared options")
    func reference() throws {
        let text = CommandReference(of: Site.root).text
        #expect(try Golden("commands.txt").text(recording: text) == text)
        let linked = CommandReference(of: Site.root, documents: ["Settings": "settings.md"]).text
        #expect(linked.contains("* [Settings](settings.md): all\n") && !linked.contains("\n## Settings\n"))
    }

    @Test("The reference has options and variables in code font, and no Markdown syntax of texts")
    func markdown() {
        let run = Command(
            "run", "Run a *task*", discussion: "Use --at, -o or TOOL_HOME (not -7d).\n\nA [link] <b> `x` a|b.",
            arguments: [Argument("KIND", .text, "One of a|b.")]
        ) { _ in .ok }
        let text = CommandReference(of: Command("tool", "Works", subcommands: [run])).text
        #expect(text.contains("\n\nRun a \\*task\\*.\n\n```sh\ntool run [options] KIND\n```\n\n"))
        #expect(text.contains("\n\nUse `--at`, `-o` or `TOOL_HOME` (not -7d).\n\nA \\[link] \\<b> \\`x\\` a\\|b.\n\n"))
        #expect(text.contains("\n| `KIND` | One of a\\|b. |\n"))
    }

    private func manual(of root: Command) -> String {
        guard case .text(let text) = root.outcome(of: ["man"]) else { return "" }
        return text
    }
}
