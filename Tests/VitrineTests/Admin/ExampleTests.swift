import Host
import JSON
import TestSupport
import Testing

@testable import Arguments
@testable import CLI

@Suite("The examples of help", .onOwnThread)
struct ExampleTests {
    /// The families whose examples other suites run, and the commands that run until they are stopped.
    private static let elsewhere: Set = ["feed", "section", "pin", "rule", "profile", "token", "dev", "serve", "worker", "completion"]

    /// Whether an example opens a prompt or a pager, takes minutes, starts another epoch, or needs data that a test does not have.
    private static func needsMore(_ line: String) -> Bool {
        line == "vitrine db psql" || line.hasPrefix("vitrine db new-epoch") || line.contains("&& vitrine dev") || line.contains("| man ")
            || line.contains("--format apt") || line.contains("1000000") || line.hasPrefix("curl ") || line.contains("--retire")
            || line.contains("keys --activate")
            || line.hasPrefix("vitrine sync tail") && !line.contains("--once")
    }

    /// The number of test cases, which share the families of commands. All examples would take too long for one case.
    private static let parts = 4

    @Test("The examples work on the sample catalog", arguments: 0..<parts)
    func examples(part: Int) throws {
        try CuratedSite.with(scope: "admin") { site in
            try prepare(site)
            let variables = site.variables.merging(["IMPRESSION": try site.impression()]) { $1 }
            let families = CommandContract.tree.subcommands.filter { !$0.isHidden && !Self.elsewhere.contains($0.name) }
            let own = families.indices.filter { $0 % Self.parts == part }.flatMap { Self.lines(below: families[$0]) }
            var lines: Set<String> = []
            for line in own where !Self.needsMore(line) && lines.insert(line).inserted {
                let vitrine = site.dev.vitrine
                let script = "cd \(vitrine.folder); HOME=$PWD; vitrine() { \(vitrine.path) \"$@\"; }; \(line)"
                let environment = vitrine.environment.merging(variables) { $1 }
                let (text, status) = try ProcessLaunch("sh", ["-c", script], environment: environment).output(
                    within: .seconds(60), limit: 8 << 20)
                let differs = line.contains("--exit-code") && status == .code(2)
                #expect(status == .code(0) || differs, "\(line): \(status) \(text)")
            }
            #expect(!lines.isEmpty)
        }
    }

    /// Returns the examples of a command and its subcommands, with the answer to any confirmation.
    private static func lines(below command: Command) -> [String] {
        let others = command.subcommands.filter { !$0.isHidden && !elsewhere.contains($0.name) }
        return others.flatMap { Self.lines(below: $0) } + (command.subcommands.isEmpty ? confirmed(command) : [])
    }

    /// Returns the examples of a command with the answer to any confirmation. An example can be a line of another command.
    static func confirmed(_ command: Command) -> [String] {
        let asks = command.options.contains { $0.name == "yes" }
        return command.examples.map(\.line).map { line in
            let isOwn = line.split(separator: " ").contains { $0 == command.name }
            return asks && isOwn && !["--yes", "--dry-run"].contains { line.contains($0) } ? "\(line) --yes" : line
        }
    }

    /// Creates the role, the files and the profiles that the examples name.
    private func prepare(_ site: CuratedSite) throws {
        let vitrine = site.dev.vitrine
        try site.dev.send("vitrine", "CREATE ROLE vitrine_server LOGIN")
        _ = try site.output("export", "-d", "\(vitrine.folder)/shop")
        _ = try site.output("export", "-d", "\(vitrine.folder)/feeds")
        _ = try vitrine.write(try site.output("export", "today"), to: "today.json")
        _ = try vitrine.write(try site.output("item", "show", "topapp:harbor-notes", "-o", "jsonl"), to: "catalog.jsonl")
        _ = try vitrine.write(VocabularyCommandTests.france, to: "fr.json")
        _ = try vitrine.write(#"{"title": {"en": "Puzzles"}}"#, to: "puzzles.json")
        _ = try vitrine.write(#"{"items": ["topapp:harbor-notes", "topapp:tideline"]}"#, to: "choice.json")
        _ = try vitrine.write(#"{"runs": ["linux"]}"#, to: "harmonyos.json")
        _ = try vitrine.write(#"{"labels": [{"label": "A", "minimumAge": 0}]}"#, to: "cero.json")
        _ = try vitrine.write("kind,key,title.en\ncategory,board,Board\n", to: "catalog.csv")
        _ = try vitrine.write(try site.output("layout", "show", "feature-pair"), to: "mine.json")
        _ = try vitrine.write(LayoutCommandTests.request, to: "page.json")
        _ = try vitrine.write("\(LayoutCommandTests.request.replacing("\n", with: " "))\n", to: "pages.jsonl")
        let token = try vitrine.write(try #require(site.variables["VITRINE_TOKEN"]), to: "token")
        for name in ["staging", "production"] {
            _ = try site.output("profile", "set", name, "--server", site.server, "--token-file", token)
        }
    }
}
