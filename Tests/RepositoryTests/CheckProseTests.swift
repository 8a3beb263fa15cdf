import Foundation
import Testing

@Suite("The script check-prose")
struct CheckProseTests {
    private static let words = Array(repeating: "a", count: 24).joined(separator: " ")

    @Test(
        "Sentences of more than 25 words and lines of more than 120 columns are found outside of code and tables",
        arguments: [
            ("A \(words).", nil), ("One \(words) more.", "README.md:1: a sentence of 26 words"),
            ("One\nmore [link\n\(words)](docs/other.md).", "README.md:1: a sentence of 27 words"),
            ("One \(words). Another \(words).", nil), ("* One \(words) `vitrine feed ls`\n* more.", "README.md:1: a sentence of 26 words"),
            ("See `a`, `b`, `c` \(words).", "README.md:1: a sentence of 26 words"), ("`a`, `b`, `c` \(words).", nil),
            ("```\nOne \(words) more.\n```\nText.", nil), ("| One \(words) more. |\n| --- |", nil),
            (String(repeating: "x", count: 121), "README.md:1: 121 columns"), (String(repeating: "x", count: 120), nil),
        ])
    func lengths(text: String, finding: String?) throws { try check(text, finds: finding) }

    @Test(
        "Broken links and paths into a home directory are found",
        arguments: [
            ("See [this](docs/other.md) and [that](docs/other.md#a-good-heading).", nil),
            ("Outside: [x](https://www.swift.org/none), `[code](none)`.", nil),
            ("See [this](docs/none.md).", "README.md:1: docs/none.md does not exist"),
            ("See [this](docs/other.md#none).", "README.md:1: docs/other.md has no heading for #none"),
            ("Look in /ho" + "me/someone/project.", "README.md:1: /ho" + "me/someone/project.: a path into a home"),
        ])
    func findings(text: String, finding: String?) throws { try check(text, finds: finding) }

    /// Expects this finding, or none, in a repository with two documents.
    private func check(_ text: String, finds finding: String?) throws {
        let scratch = try Scratch()
        try scratch.write(text + "\n", to: "README.md")
        try scratch.write("# A `good` heading\n", to: "docs/other.md")
        _ = try Program(file: URL(filePath: "/usr/bin/env")).run(["git", "init", "--quiet", scratch.directory.path])
        let result = try Program(file: Repository.root.appending(path: "scripts/check-prose")).run([scratch.directory.path])
        #expect(result.status == (finding == nil ? 0 : 1), "\(result.output)\(result.errors)")
        if let finding { #expect(result.output.contains(finding)) }
    }
}
