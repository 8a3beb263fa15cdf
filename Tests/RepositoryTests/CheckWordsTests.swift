import Foundation
import Testing

@Suite("The script check-words")
struct CheckWordsTests {
    @Test(
        "Banned identifiers are found in code and interpolations, and not in texts, comments or accepted lines",
        arguments: [
            ("let issues = 1", nil), ("let mistakes = 1", "Sources/A.swift:1: 'mistakes': use "),
            (#"let text = "\(mistakes)""#, "Sources/A.swift:1: 'mistakes': use "), (#"let text = "mistakes""#, nil),
            ("// mistakes", nil), ("let mistakes = 1  // words:ok", nil), (##"let text = #"" \(mistakes) ""#"##, nil),
            ("let text = \"\"\"\n    mistakes\n    \"\"\"\nlet mistakes = 1", "Sources/A.swift:4: 'mistakes': use "),
        ])
    func identifiers(source: String, finding: String?) throws {
        let scratch = try Scratch()
        try scratch.write(source + "\n", to: "Sources/A.swift")
        _ = try Program(file: URL(filePath: "/usr/bin/env")).run(["git", "init", "--quiet", scratch.directory.path])
        let result = try Program(file: Repository.root.appending(path: "scripts/check-words"))
            .run(["identifiers", "--root", scratch.directory.path])
        #expect(result.status == (finding == nil ? 0 : 1), "\(result.output)\(result.errors)")
        if let finding { #expect(result.output.contains(finding)) }
    }

    @Test(
        "A term of the glossary that is divided, joined, hyphenated or capitalized in another way is found",
        arguments: [
            ("A store front: de", "'store front': the glossary spells it 'storefront'"), ("A \"take-over\"", "'take-over'"),
            ("Two Topapps.", "'Topapps'"), ("Two TopApps.", nil), ("Storefronts", nil), ("`store-front` and topapp:notes", nil),
        ])
    func terms(comment: String, finding: String?) throws {
        let scratch = try Scratch()
        try scratch.write("// \(comment)\n", to: "Sources/A.swift")
        _ = try Program(file: URL(filePath: "/usr/bin/env")).run(["git", "init", "--quiet", scratch.directory.path])
        let result = try Program(file: Repository.root.appending(path: "scripts/check-words"))
            .run(["code", "--root", scratch.directory.path])
        #expect(result.status == (finding == nil ? 0 : 1), "\(result.output)\(result.errors)")
        if let finding { #expect(result.output.contains("Sources/A.swift:1: \(finding)")) }
    }
}
