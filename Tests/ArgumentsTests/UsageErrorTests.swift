import Arguments
import TestSupport
import Testing

@Suite("A usage error")
struct UsageErrorTests {
    @Test("A usage error states the issue, a suggestion and the help command")
    func golden() throws {
        let lines = [
            "", "feed", "fed ls", "feed lss", "db migrat", "db migrate --dryrun", "publish", "publish a b c", "publish today --rve 3",
            "publish today -rev 3", "publish today --rev", "publish today --rev 0", "publish today --timeout 5",
            "publish today --timeout 2h",
            "publish today --wait=no", "publish today --wait --no-wait", "publish today --rev 1 --rev 2", "feed ls -o jsn", "promote",
            "--rev 3 publish today", "serve --database-password hunter2", "completion tcsh", "publish --rev 0 --bogus -x a b",
        ]
        let transcript = lines.map { line in "$ vitrine \(line)\n\(message(line.split(separator: " ").map(String.init)))" }
        let text = transcript.joined(separator: "\n")
        #expect(try Golden("errors.txt").text(recording: text) == text)
    }

    @Test("An invalid value of a variable is reported with the variable's name")
    func environment() {
        let text = message(["feed", "ls"], ["VITRINE_OUTPUT": "jsom"])
        #expect(text.hasPrefix("error: invalid value 'jsom' for 'VITRINE_OUTPUT': expected one of table,"))
        #expect(text.contains("hint: did you mean 'json'?\n"))
    }

    @Test("A long or hostile word is shortened and printed without control characters")
    func hostile() {
        let text = message(["feed", "ls", "\u{1B}[2J\u{202E}\0\u{9B}" + String(repeating: "a", count: 1_000)])
        #expect(text.contains(#"'\u{1b}[2J\u{202e}\u{0}\u{9b}aaa"#))
        #expect(text.contains("…'"))
        #expect(text.utf8.count < 300)
    }

    @Test("A secret is never repeated")
    func secret() {
        #expect(!message(["serve", "--database-password", "hunter2"]).contains("hunter2"))
    }

    @Test(
        "A text that may contain a password is not shown",
        arguments: ["postgres://u:hunter2@h", "postgres://h?password=hunter2", "host=h password=hunter2"])
    func strayPassword(text: String) {
        for arguments in [[text], ["feed", "ls", text], ["feed", "ls", "-o", text], ["help", text], ["feed", "ls", "--\(text)"]] {
            #expect(message(arguments).contains("error: "))
            #expect(!message(arguments).contains("hunter2"), "\(arguments)")
        }
    }

    @Test("A command can create a usage error for conflicting values")
    func rule() throws {
        guard case .run(_, let invocation) = Site.root.outcome(of: ["publish", "today"]) else { throw NoInvocation() }
        let error = invocation.usageError("'--from' is in the past")
        #expect(error.text == "error: '--from' is in the past\nhint: run 'vitrine publish --help'\n")
        #expect(error.exitCode.rawValue == 64)
    }

    private func message(_ arguments: [String], _ environment: [String: String] = [:]) -> String {
        guard case .usage(let error) = Site.root.outcome(of: arguments, environment: environment) else { return "no error" }
        return error.text
    }

    private struct NoInvocation: Error {}
}
