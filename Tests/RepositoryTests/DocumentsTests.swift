import Arguments
import CLI
import Foundation
import Settings
import TestSupport
import Testing

@Suite("Documents")
struct DocumentsTests {
    @Test("The documents are found")
    func found() throws {
        let some = [
            "README.md", "CHANGELOG.md", "sql/README.md", "docs/architecture.md", "docs/decisions/0020-waiting-code-is-simulated.md",
        ]
        #expect(Set(try Repository.documents()).isSuperset(of: some))
    }

    @Test("A document mentions only existing commands and options", arguments: try Repository.documents())
    func commands(document: String) throws {
        for command in References(try Repository.text(of: document)).commands { try expectExists(command) }
    }

    @Test("A document mentions only environment variables that the program reads", arguments: try Repository.documents())
    func environment(document: String) throws {
        let mentioned = References(try Repository.text(of: document)).environmentNames
        if !mentioned.isEmpty { #expect(mentioned.subtracting(try environmentOfProgram()) == []) }
    }

    @Test("A document mentions only existing make targets, scripts and folders", arguments: try Repository.documents())
    func paths(document: String) throws {
        let references = References(try Repository.text(of: document))
        #expect(references.makeTargets.subtracting(try makeTargets()) == [])
        #expect(references.paths.filter { !Repository.has($0) } == [])
        #expect(references.paths.filter { $0.hasPrefix("scripts/") && !Repository.hasExecutable($0) } == [])
    }

    @Test("The settings table of docs/settings.md matches the declarations")
    func settings() throws { try expectPart("settings", of: "docs/settings.md", is: Settings.settingsTable) }

    @Test("The reference of commands matches the help of the program")
    func reference() throws {
        let root = VitrineCommand.tree(version: "0", console: Console(program: "vitrine", environment: [:]))
        let text = CommandReference(of: root, documents: ["Settings": "settings.md"]).text
        try expectPart("commands", of: "docs/commands.md", is: text)
    }

    /// Expects that a document has a text between the comments `<!-- name -->` and `<!-- /name -->`, or writes it there while golden
    /// files are recorded.
    private func expectPart(_ name: String, of path: String, is text: String) throws {
        let document = try Repository.text(of: path)
        let start = try #require(document.range(of: "<!-- \(name) -->\n")?.upperBound)
        let end = try #require(document.range(of: "<!-- /\(name) -->", range: start..<document.endIndex)?.lowerBound)
        let expected = document.replacingCharacters(in: start..<end, with: text)
        let isCurrent = try Golden(path: Repository.root.appending(path: path).path).text(recording: expected) == expected
        #expect(isCurrent, "\(path) is out of date: run RECORD_GOLDENS=1 scripts/test DocumentsTests")
    }

    @Test("The reference of metrics lists exactly the metrics of the program, with their types and descriptions")
    func metrics() throws {
        let listed = Monitoring.listedMetrics(in: try Repository.text(of: "docs/metrics.md"))
        let declared = try Monitoring.declaredMetrics()
        #expect(declared.count > 30 && listed.symmetricDifference(declared) == [])
    }

    @Test("The reference of metrics lists exactly the log events of the program")
    func events() throws {
        let listed = Monitoring.listedEvents(in: try Repository.text(of: "docs/metrics.md"))
        let declared = try Monitoring.declaredEvents()
        #expect(declared.count > 40 && listed.symmetricDifference(declared) == [])
    }

    @Test("The table of long tests lists exactly the variables of the tests, each with an existing suite")
    func longTests() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Repository.root.appending(path: "Tests").path)
        var (variables, suites): (Set<String>, Set<String>) = ([], [])
        for path in paths where path.hasSuffix(".swift") {
            let source = References(try Repository.text(of: "Tests/\(path)"))
            variables.formUnion(source.matches(of: /TestVariable\.number\("([A-Z_]+)"\)/))
            suites.formUnion(source.matches(of: /\bstruct (\w+Tests)\b/))
        }
        // A seed repeats a run.
        variables = variables.filter { !$0.hasSuffix("_SEED") }
        let guide = References(try Repository.text(of: "CONTRIBUTING.md"))
        let rows = guide.matches(of: /(?m)^\| (`[A-Z_]+=[0-9]+` \| [^|]+) \|/).map { References($0) }
        #expect(variables.count > 20 && rows.flatMap { $0.matches(of: /`([A-Z_]+)=/) }.sorted() == variables.sorted())
        // It is the name of a target.
        suites.insert("SimulationTests")
        for row in rows { #expect(row.matches(of: /`(\w+Tests)`/).filter { !suites.contains($0) } == [], "\(row.text)") }
    }

    @Test("The documents and the OpenAPI document list every finding of the review, of the layout lint and of published feeds")
    func findings() throws {
        let review = References(try Repository.text(of: "Sources/Feeds/Reviewing/ReviewFinding.swift")).matches(of: /rawValue: "([A-Z_]+)"/)
        let lint = References(try Repository.text(of: "Sources/Layout/Lint/Finding.swift")).matches(of: /case \w+ = "([A-Z_]+)"/)
        #expect(review.count > 10 && lint.count > 10)
        let guide = try Repository.text(of: "docs/feeds.md")
        #expect(review.filter { !guide.contains("`\($0)`") } == [])
        let cookbook = try Repository.text(of: "docs/layout-cookbook.md")
        #expect(lint.filter { !cookbook.contains("`\($0)`") && !cookbook.contains("### \($0)\n") } == [])
        let api = References(try Repository.text(of: "config/api/openapi.json"))
        let schema = try #require(api.matches(of: /"FindingCode": \{([^\]]+)\]/).first)
        #expect(Set(References(schema).matches(of: /"([A-Z_]+)"/)) == Set(review + lint))
        let live = References(try Repository.text(of: "Sources/Feeds/Health/LiveFinding.swift")).matches(of: /case \w+ = "([A-Z_]+)"/)
        let report = try #require(guide.range(of: "## Live findings"))
        #expect(live.count > 10 && live.filter { !guide[report.lowerBound...].contains("`\($0)`") } == [])
        let liveSchema = try #require(api.matches(of: /"LiveFindingCode": \{([^\]]+)\]/).first)
        #expect(References(liveSchema).matches(of: /(?m)^ +"([A-Z_]+)",?$/) == live)
    }

    @Test("The reference of layouts names every word of the layout schema, and the cookbook every preset")
    func layoutWords() throws {
        var words: Set<String> = []
        func visit(_ node: Any) {
            if let object = node as? [String: Any] {
                if let properties = object["properties"] as? [String: Any] { words.formUnion(properties.keys) }
                let values = (object["enum"] as? [Any] ?? []) + (object["const"].map { [$0] } ?? [])
                words.formUnion(values.compactMap { $0 as? String })
                for value in object.values { visit(value) }
            } else if let elements = node as? [Any] {
                for element in elements { visit(element) }
            }
        }
        let schema = Data(try Repository.text(of: "docs/layout.schema.json").utf8)
        visit(try JSONSerialization.jsonObject(with: schema))
        #expect(words.count > 150)
        let code = References(try Repository.text(of: "docs/layouts.md")).code.joined(separator: " ")
        let named = Set(References(code).matches(of: /([A-Za-z][A-Za-z0-9.-]*)/))
        let cookbook = try Repository.text(of: "docs/layout-cookbook.md")
        #expect(words.subtracting(named).filter { !cookbook.contains("### \($0)\n") } == [])
    }

    @Test("The OpenAPI document lists every code of a reject, and the import guide those of valid JSON")
    func rejects() throws {
        let own = References(try Repository.text(of: "Sources/CatalogImport/Reading/Reject.swift"))
        let issues = References(try Repository.text(of: "Sources/JSON/Reading/JSONIssue.swift"))
        let decoding = References(try #require(issues.matches(of: /(?s)The issues of valid JSON (.*?)\n\}/).first))
        let codes = decoding.matches(of: /Self = "([A-Z_]+)"/) + own.matches(of: /Self = "([A-Z_]+)"/)
        #expect(codes.count > 10)
        let parsed = References(try #require(issues.matches(of: /(?s)The errors of a text (.*?)\n\}/).first))
        let parsing = parsed.matches(of: /Self = "([A-Z0-9_]+)"/)
        let api = References(try Repository.text(of: "config/api/openapi.json"))
        let schema = try #require(api.matches(of: /"RejectCode": \{([^\]]+)\]/).first)
        #expect(parsing.count > 10 && References(schema).matches(of: /(?m)^ +"([A-Z0-9_]+)",?$/) == codes + parsing)
        let guide = try Repository.text(of: "docs/import.md")
        #expect(codes.filter { !guide.contains("`\($0)`") } == [])
    }

    @Test(
        "A port of resolve that follows the guide returns the pages of all vectors and the chains of all locales",
        arguments: [["python3", "-B", "port.py"], ["node", "port.mjs"]])
    func port(command: [String]) throws {
        let port = Repository.root.appending(path: "config/resolve/\(command[command.count - 1])").path
        let result = try Program(file: URL(filePath: "/usr/bin/env")).run(command.dropLast() + [port])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output == "port: 2000 pages in one and in two steps, and 60 chains of locales\n")
    }

    @Test("The help of make describes exactly the existing targets")
    func help() throws {
        let makefile = References(try Repository.text(of: "Makefile"))
        let phony = try #require(makefile.matches(of: /(?m)^\.PHONY: (.*)$/).first)
        let result = try Program(file: URL(filePath: "/usr/bin/env")).run(["make", "--directory", Repository.root.path])
        let targets = Set(phony.split(separator: " ").map(String.init))
        #expect(Set(References(result.output).matches(of: /(?m)^ +make ([a-z]+) .*$/)) == targets)
        #expect(try makeTargets() == targets)
    }

    @Test("The continuous check runs existing targets")
    func continuousCheck() throws {
        #expect(Repository.hasExecutable(".ci/run"))
        let steps = References(try Repository.text(of: ".ci/run")).matches(of: /(?m)^step ([a-z]+)/)
        let targets = try makeTargets()
        #expect(steps.contains("test") && targets.isSuperset(of: steps))
    }

    private func makeTargets() throws -> Set<String> {
        Set(References(try Repository.text(of: "Makefile")).matches(of: /(?m)^([a-z]+):/))
    }
}

/// Expects that the program has the command and that its help has every option.
func expectExists(_ command: MentionedCommand, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let result = try binary().run(command.parameters + ["--help"])
    #expect(result.status == 0, "\(command): \(result.errors)", sourceLocation: sourceLocation)
    for option in command.options {
        let isKnown = result.output.matches(of: /--[a-z][a-z-]*/).contains { $0.0 == option }
        #expect(isKnown, "\(command): its help has no \(option)", sourceLocation: sourceLocation)
    }
}

/// Returns the environment variables that the program documents.
func environmentOfProgram() throws -> Set<String> {
    let responses = try [
        ["settings", "-o", "json"], ["settings", "--help"], ["--help"], ["sync", "tail", "--help"], ["audit", "ls", "--help"],
    ].map { try binary().run($0).output }
    return References(responses.joined(separator: "\n")).environmentNames
}
