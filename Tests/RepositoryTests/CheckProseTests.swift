import Foundation
import Testing

@Suite("The script check-prose")
struct CheckProseTests {
    @Test(
        "Broken links and paths into a home directory are found",
        arguments: [
            ("See [this](docs/other.md) and [that](docs/other.md#a-good-heading).", nil),
            ("Outside: [x](https://www.swift.org/none), `[code](none)`.", nil),
            ("See [this](docs/none.md).", "README.md:1: docs/none.md does not exist"),
            ("See [this](docs/other.md#none).", "README.md:1: docs/other.md has no heading for #none"),
            ("Look in /ho" + "me/someone/project.", "README.md:1: /ho" + "me/someone/project.: a path into a home"),
        ])
    func findings(text: String, finding: String?) throws {
        let scratch = try Scratch()
        try scratch.write(text + "\n", to: "README.md")
        try scratch.write("# A `good` heading\n", to: "docs/other.md")
        _ = try Program(file: URL(filePath: "/usr/bin/env")).run(["git", "init", "--quiet", scratch.directory.path])
        let result = try Program(file: Repository.root.appending(path: "scripts/check-prose")).run([scratch.directory.path])
        #expect(result.status == (finding == nil ? 0 : 1), "\(result.output)\(result.errors)")
        if let finding { #expect(result.output.contains(finding)) }
    }
}
