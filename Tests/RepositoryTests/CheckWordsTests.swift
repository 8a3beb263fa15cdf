import Foundation
import Testing

@Suite("The script check-words")
struct CheckWordsTests {
    @Test(
        "Banned identifiers are found in code and interpolations, and not in texts and comments",
        arguments: [
            ("let issues = 1", nil), ("let mistakes = 1", "Sources/A.swift:1: 'mistakes': use "),
            (#"let text = "\(mistakes)""#, "Sources/A.swift:1: 'mistakes': use "), (#"let text = "mistakes""#, nil),
            ("// mistakes", nil), (##"let text = #"" \(mistakes) ""#"##, nil),
            ("let text = \"\"\"\n    mistakes\n    \"\"\"\nlet mistakes = 1", "Sources/A.swift:4: 'mistakes': use "),
        ])
    func identifiers(source: String, finding: String?) throws {
        try check(source, at: "Sources/A.swift", in: "identifiers", finds: finding)
    }

    @Test(
        "A term of the glossary that is divided, joined, hyphenated or capitalized in another way is found",
        arguments: [
            ("A store front: de", "'store front': the glossary spells it 'storefront'"), ("A \"take-over\"", "'take-over'"),
            ("Two Topapps.", "'Topapps'"), ("Two TopApps.", nil), ("Storefronts", nil), ("`store-front` and topapp:notes", nil),
        ])
    func terms(comment: String, finding: String?) throws {
        try check("// \(comment)", at: "Sources/A.swift", in: "code", finds: finding.map { "Sources/A.swift:1: \($0)" })
    }

    @Test(
        "Banned words are found in comments and messages of SQL, in scripts and C, and in names and comments of tests",
        arguments: [
            ("sql", "sql/a.sql", "SELECT mistakes;\n-- No mistakes.", "sql/a.sql:2: 'mistakes': use "),
            ("sql", "sql/a.sql", "RAISE 'it''s\nno mistake';", "sql/a.sql:2: 'mistake': use "),
            ("sql", "sql/a.sql", "SELECT mistakes FROM rows WHERE kind = 'mistakes';", nil),
            ("scripts", "scripts/a", "echo 'two mistakes'", "scripts/a:1: 'mistakes': use "),
            ("scripts", "Sources/CA/a.h", "int a; // mistakes", "Sources/CA/a.h:1: 'mistakes': use "),
            ("tests", "Tests/A.swift", "let a = 1  // mistakes", "Tests/A.swift:1: 'mistakes': use "),
            ("tests", "Tests/A.swift", "@Test(\n    \"Finds mistakes\")", "Tests/A.swift:1: 'mistakes': use "),
            ("tests", "Tests/A.swift", "let mistakes = \"two mistakes\"", nil),
        ])
    func texts(corpus: String, file: String, source: String, finding: String?) throws {
        try check(source, at: file, in: corpus, finds: finding)
    }

    @Test(
        "Banned names are found among the keys that the program writes into JSON",
        arguments: [
            (#"json.member("doubt", true)"#, "Sources/A.swift:1: 'doubt': use "),
            ("json.member(\n    \"isCurrent\", true)", "Sources/A.swift:1: 'is"), (#"json.member("distrusted", true)"#, nil),
            (#"let text = "doubt""#, nil),
        ])
    func keys(source: String, finding: String?) throws {
        try check(source, at: "Sources/A.swift", in: "wire", finds: finding)
    }

    @Test("The subjects of commits are checked without an upstream", arguments: [("Test rejects", false), ("Tell the reader", true)])
    func commits(subject: String, isFound: Bool) throws {
        let scratch = try Scratch()
        let git = Program(file: URL(filePath: "/usr/bin/env"))
        let repository = ["git", "-C", scratch.directory.path, "-c", "user.name=a", "-c", "user.email=a@example.com"]
        _ = try git.run(["git", "init", "--quiet", scratch.directory.path])
        #expect(try git.run(repository + ["commit", "--quiet", "--allow-empty", "--message", subject]).status == 0)
        let result = try Program(file: Repository.root.appending(path: "scripts/check-words"))
            .run(["commits", "--root", scratch.directory.path])
        #expect(result.status == (isFound ? 1 : 0) && result.output.contains("'Tell'") == isFound, "\(result.output)\(result.errors)")
    }

    /// Expects this finding, or none, in a corpus of a repository with a single file.
    private func check(_ source: String, at file: String, in corpus: String, finds finding: String?) throws {
        let scratch = try Scratch()
        try scratch.write(source + "\n", to: file)
        _ = try Program(file: URL(filePath: "/usr/bin/env")).run(["git", "init", "--quiet", scratch.directory.path])
        let result = try Program(file: Repository.root.appending(path: "scripts/check-words"))
            .run([corpus, "--root", scratch.directory.path])
        #expect(result.status == (finding == nil ? 0 : 1), "\(result.output)\(result.errors)")
        if let finding { #expect(result.output.contains(finding)) }
    }
}
