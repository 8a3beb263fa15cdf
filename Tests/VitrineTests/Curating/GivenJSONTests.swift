import Host
import JSON
import TestSupport
import Testing

@testable import Admin

@Suite("JSON that a command is given")
struct GivenJSONTests {
    @Test("may have the comments of an exported file")
    func comments() throws {
        let folder = try TemporaryFolder("json")
        let path = "\(folder.path)/rule.jsonc"
        try Descriptor(opening: path, .create).write(Array("// All apps.\n{\"kind\": \"topApp\",}\n".utf8), subject: path)
        for value in [try GivenJSON.file(path), try GivenJSON.value("@\(path)", of: "--rule")] {
            #expect(value == .object([JSONValue.Member(key: "kind", value: .string("topApp"))]))
        }
    }
}
