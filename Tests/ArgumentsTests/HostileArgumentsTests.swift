import Arguments
import TestSupport
import Testing

@Suite("Hostile arguments")
struct HostileArgumentsTests {
    @Test(
        "Arguments of the maximum length of Linux take no longer than reading them", .timeLimit(.minutes(1)),
        arguments: ["a", "\u{301}", "=", "-", "9", "\0", "🙂", "\\", "'", "\u{202E}"])
    func long(unit: String) async {
        let word = String(repeating: unit, count: 131_000 / unit.utf8.count)
        for prefix in ["", "--", "-", "--rev=", "-o", "--timeout=9"] {
            _ = Site.root.outcome(of: ["publish", prefix + word, "--rev", word])
        }
        _ = await Site.root.completions(for: ["publish", word])
    }

    @Test(
        "A large number of arguments takes no longer than reading them", .timeLimit(.minutes(1)),
        arguments: ["-v", "-x", "--label=a", "today", "--"])
    func many(word: String) {
        let arguments = ["feed", "ls"] + Array(repeating: word, count: 20_000)
        guard case .usage(let error) = Site.root.outcome(of: arguments) else { return }
        #expect(error.text.utf8.count < 4_000)
    }

    @Test("Random arguments never cause a trap and always have an outcome", arguments: Seeds.fixed(2))
    func random(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1_500 {
            let arguments = (0..<Int.random(in: 0...7, using: &random)).map { _ in word(&random) }
            if case .usage(let error) = Site.root.outcome(of: arguments) {
                #expect(!error.problems.isEmpty, "seed \(seed), words \(arguments)")
                #expect(error.text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 }, "seed \(seed), words \(arguments)")
            }
            let completions = await Site.root.completions(for: arguments)
            #expect(
                completions.candidates.allSatisfy { $0.word.utf8.starts(with: (arguments.last ?? "").utf8) },
                "seed \(seed), words \(arguments)")
            if case .complete(let request) = Site.root.outcome(of: ["complete", "bash", "--", "=:", arguments.joined(separator: " ")]) {
                #expect(await request.response().hasSuffix("\n"), "seed \(seed), words \(arguments)")
            }
        }
    }

    private func word(_ random: inout SeededRandom) -> String {
        let pieces = [
            "feed", "ls", "publish", "section", "move", "help", "db", "psql", "serve", "edit", "today", "--rev", "--output", "--wait",
            "--no-",
            "--", "-", "-o", "-v", "-x", "=", "json", "3", "-7", "2s", "", " ", "\0", "\u{301}", "\u{1B}[0m", "\u{FFFD}", "🙂", "'", "\"",
            "\\",
            ":", "\n", "--file", "--label", "--database-password", "completion", "complete", "man", "version", "--help", "-h", "--version",
        ]
        return (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }.joined()
    }
}
