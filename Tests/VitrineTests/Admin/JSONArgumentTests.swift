import Arguments
import Host
import JSON
import TestSupport
import Testing

@testable import CLI

@Suite("A JSON argument")
struct JSONArgumentTests {
    @Test("A JSON file may have comments, as an exported file does")
    func comments() throws {
        let folder = try TemporaryFolder("json")
        let path = "\(folder.path)/rule.jsonc"
        try Descriptor(opening: path, .create).write(Array("// All apps.\n{\"kind\": \"topApp\",}\n".utf8), subject: path)
        for value in [try JSONArgument.file(path), try JSONArgument.value("@\(path)", of: "--rule")] {
            #expect(value == .object([JSONValue.Member(key: "kind", value: .string("topApp"))]))
        }
    }

    @Test("A file that is empty, not JSON or too large is refused by its path")
    func refusals() throws {
        let folder = try TemporaryFolder("json")
        for (text, output) in [
            ("", "is empty"), ("nothing", "is not valid JSON"), (String(repeating: " ", count: (1 << 20) + 1), "is larger than 1 MiB"),
        ] {
            let path = "\(folder.path)/\(output.count).json"
            try Descriptor(opening: path, .create).write(Array(text.utf8), subject: path)
            #expect { try JSONArgument.file(path) } throws: {
                ($0 as? RemoteError)?.message == "\(path) \(output)" && ($0 as? RemoteError)?.exitCode == .invalid
            }
        }
        #expect { try JSONArgument.file("\(folder.path)/none") } throws: { ($0 as? RemoteError)?.exitCode == .notFound }
    }

    @Test("Standard input is read even if it is a socket, as programs give to child processes")
    func sockets() throws {
        let pipe = try Pipe()
        let nothing = try Descriptor(opening: "/dev/null", .readAndWrite)
        let arguments = ["layout", "validate", "-"]
        try pipe.writing.write(Array(#"{"list": {}}"#.utf8), subject: "a socket")
        let reading = pipe.readingEnd()
        var child = try ProcessLaunch(BuiltProgram.vitrine, arguments).start(input: reading, output: nothing)
        #expect(try child.wait() == .code(0))
    }
}
