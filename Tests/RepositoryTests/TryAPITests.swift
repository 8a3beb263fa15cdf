import Foundation
import Testing

@Suite("The script try-api")
struct TryAPITests {
    /// Runs the script in a repository with stubs of the program and of the tool, which prints a report.
    private static func run(_ report: String) throws -> Program.Result {
        let scratch = try Scratch()
        let root = scratch.directory
        for folder in ["scripts", ".build/schemathesis/bin"] {
            try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
        }
        for script in ["scripts/try-api", "scripts/with-sample-server"] {
            try FileManager.default.copyItem(at: Repository.root.appending(path: script), to: root.appending(path: script))
        }
        for path in ["vitrine", ".build/schemathesis/bin/schemathesis"] {
            try FileManager.default.createSymbolicLink(
                at: root.appending(path: path), withDestinationURL: Repository.root.appending(path: "Tests/stub-program"))
        }
        try scratch.write(
            """
            [[ $1 == dev ]] || exit 0
            echo '{"event":"server.ready","ports":["1"]}' >&2
            # The tests block signals, which their children inherit.
            exec env --default-signal=TERM tail --follow /dev/null
            """, to: "vitrine.body")
        try scratch.write(#"{"x-extensible-enum": ["us"]}"#, to: "config/api/openapi.json")
        try scratch.write("cat .build/closed-openapi.json >&2\nprintf '\(report)'\n", to: ".build/schemathesis/bin/schemathesis.body")
        return try Program(file: root.appending(path: "scripts/try-api")).run(["vitrine"])
    }

    @Test(
        "A run passes if operations were tested with closed enums, and fails if none was",
        arguments: [("  Tested: 63\\n", 0), ("  Tested: 0\\n", 1), ("", 1)])
    func selection(report: String, status: Int32) throws {
        let result = try Self.run(report)
        #expect(result.status == status, "\(result.output)\(result.errors)")
        #expect(result.errors.contains("no operation was tested") == (status == 1))
        #expect(result.errors.contains(#"{"enum": ["us"]}"#), "the tool gets a document with open enums")
    }
}
