import Arguments
import TestSupport
import Testing

@Suite("A completion script")
struct CompletionScriptTests {
    @Test("The script matches its golden file", arguments: Shell.allCases)
    func golden(shell: Shell) throws {
        #expect(try Golden("completion.\(shell.rawValue)").text(recording: script(shell)) == script(shell))
    }

    @Test("The script is valid in its shell", arguments: Shell.allCases)
    func grammar(shell: Shell) throws {
        if !Tool.isInstalled(shell.rawValue) { try Test.cancel("\(shell.rawValue) is not installed") }
        let result = try Tool.run(shell.rawValue, ["-n"], input: script(shell))
        #expect(result.errors.isEmpty)
        #expect(result.status == 0)
    }

    @Test(
        "The script completes in bash, also at quotes, colons and equals signs and in the middle of a line",
        .enabled(if: Tool.isInstalled("bash"), "bash is not installed"),
        arguments: [
            ("vitrine publish t", "", "today|tv:kids"), ("vitrine publish tv:k", "", "kids"), ("vitrine --output=js", "", "json|jsonl"),
            ("vitrine publish new", "", "new\\ games"), ("vitrine publish \"new g", "", "new games"),
            ("vitrine pub", " --rev 3", "publish"),
            ("vitrine publish -- to", "", "today"), ("vitrine edit --file=a", "", "a draft.yaml"), ("vitrine edit ", "", "drafts"),
            ("vitrine edit -f drafts/", "", "drafts/x.yaml"), ("vitrine feed ls --al", "", "--all"), ("vitrine nonsense ", "", ""),
        ])
    func bash(before: String, after: String, expected: String) async throws {
        let driver = """
            COMP_LINE='\(before)\(after)' COMP_POINT=\(before.count) COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
            _vitrine vitrine
            IFS='|'; printf '%s' "${COMPREPLY[*]}"
            """
        #expect(try await StandIn().run(.bash, driver) == expected)
    }

    @Test(
        "The script completes in zsh", .enabled(if: Tool.isInstalled("zsh"), "zsh is not installed"),
        arguments: [
            ("publish t", "today:The first tab.|tv\\:kids:For children."), ("--output=y", "--output=yaml:"),
            ("publish 'new g", "new games:A name with a space."), ("edit --file=a", "|_files after --file="),
            ("edit d", "|_files -/ after "),
            ("publish -- to", "today:The first tab."), ("nonsense x", ""),
        ])
    func zsh(line: String, expected: String) async throws {
        let arguments = line.split(separator: " ", maxSplits: line.contains("'") ? 1 : 9).map { "'\($0.replacing("'", with: #"'\''"#))'" }
        let driver = """
            _describe() { print -rn -- "${(j:|:)candidates}" }
            compset() { skipped=$2 }
            _files() { print -rn -- "|_files${1:+ $1} after $skipped" }
            words=(vitrine \(arguments.joined(separator: " "))); CURRENT=$#words; PREFIX=${words[-1]#\\'}
            _vitrine
            """
        #expect(try await StandIn().run(.zsh, "compdef() { :; }\n" + driver) == expected)
    }

    @Test(
        "The script completes in fish", .enabled(if: Tool.isInstalled("fish"), "fish is not installed"),
        arguments: [
            ("publish t", "today\tThe first tab.\ntv:kids\tFor children.\n"), ("--output=y", "--output=yaml\n"),
            ("publish \"new g", "new games\tA name with a space.\n"),
            ("edit --file=a", "--file=a draft.yaml\n"), ("edit d", "drafts/\tDirectory\n"),
            ("publish -- to", "today\tThe first tab.\n"), ("nonsense x", ""),
        ])
    func fish(line: String, expected: String) async throws {
        #expect(try await StandIn().run(.fish, "complete -C 'vitrine \(line)'") == expected)
    }

    private func script(_ shell: Shell) -> String {
        guard case .text(let script) = Site.root.outcome(of: ["completion", shell.rawValue]) else { return "" }
        return script
    }
}
