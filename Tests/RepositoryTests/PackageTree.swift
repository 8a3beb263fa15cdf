import Foundation

/// A small package that passes scripts/check-graph, in which tests break one part.
struct PackageTree {
    /// The lines of a graph file, by target name.
    var targets = [
        "Values": "library Sources/Values",
        "JSON": "library Sources/JSON Values",
        "Layout": "library Sources/Layout JSON",
        "CPostgres": "system-target Sources/CPostgres",
        "Postgres": "library Sources/Postgres CPostgres",
        "Host": "library Sources/Host",
        "Publishing": "library Sources/Publishing JSON Postgres",
        "VitrineClient": "library Sources/VitrineClient JSON",
        "vitrine": "executable Sources/vitrine Publishing",
        "Benchmarks": "executable Sources/Benchmarks JSON",
        "Support": "library Tests/Support",
        "PublishingTests": "test Tests/PublishingTests Publishing Support vitrine",
    ]

    var files = [
        "Sources/Values/Word.swift": "// import Foundation\n/* import Glibc */\nlet text = \"public let\"\n",
        "Sources/JSON/Text.swift":
            "package import Values\nlet sample = \"\"\"\n    import Foundation\n    public let x = 1\n    \"\"\"\n",
        "Sources/Layout/Frame.swift": "import JSON\n",
        "Sources/CPostgres/module.modulemap": "module CPostgres {}\n",
        "Sources/Postgres/Pool.swift": "internal import CPostgres\ninternal import Glibc\n",
        "Sources/Host/Files.swift": "internal import Glibc\n",
        "Sources/Publishing/Feed.swift": "import JSON\nimport struct Postgres.Row\n",
        "Sources/VitrineClient/Client.swift": "internal import JSON\npublic struct Client {}\n",
        "Sources/vitrine/main.swift": "import Publishing\n",
        "Sources/Benchmarks/main.swift": "import Foundation\nimport JSON\n",
        "Tests/Support/Golden.swift": "import Foundation\n",
        "Tests/PublishingTests/FeedTests.swift": "import Foundation\n@testable import Publishing\nimport Support\nimport Testing\n",
    ]

    var paragraphs = [
        "**`Values`** a", "**`JSON`** b", "**`Layout`** c", "**`CPostgres`** d", "**`Postgres`** e", "**`Host`** f", "**`Publishing`** g",
        "**`VitrineClient`** h", "**`vitrine`** i", "**`Benchmarks`** j", "**`Sync`** (to come) k",
    ]

    /// Returns the result of the check for this package.
    func check() throws -> Program.Result {
        let scratch = try Scratch()
        for (path, text) in files { try scratch.write(text, to: path) }
        for (_, target) in targets { try scratch.write("", to: target.split(separator: " ")[1] + "/.keep") }
        try scratch.write(targets.map { "\($0.key) \($0.value)\n" }.sorted().joined(), to: "graph")
        try scratch.write(paragraphs.joined(separator: "\n\n"), to: "docs/architecture.md")
        return try Program(file: Repository.root.appending(path: "scripts/check-graph"))
            .run(["--graph", scratch.directory.appending(path: "graph").path, scratch.directory.path])
    }
}
