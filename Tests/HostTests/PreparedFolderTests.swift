import Host
import TestSupport
import Testing

@Suite("A prepared folder")
struct PreparedFolderTests {
    private struct Failure: Error {}

    private let folder: TemporaryFolder
    private let name = "test-\(UInt64.random(in: .min ... .max))"

    init() throws { folder = try TemporaryFolder("copies") }

    private func copy(to target: String, _ text: String) throws {
        try PreparedFolder.copy(name, to: "\(folder.path)/\(target)") { keep in
            try Files.makeDirectory("\(folder.path)/source-\(text)")
            try Files.replace("\(folder.path)/source-\(text)/text", with: Array(text.utf8))
            try keep("\(folder.path)/source-\(text)")
        }
    }

    @Test("A folder is prepared once and copied for each request")
    func once() throws {
        try copy(to: "one", "first")
        try Files.replace("\(folder.path)/one/text", with: [])
        try copy(to: "two", "second")
        #expect(try Files.read("\(folder.path)/two/text") == Array("first".utf8))
        #expect(FileStatus(ofLink: "\(folder.path)/source-second") == nil)
    }

    @Test("A failed preparation is not repeated, and nothing is copied")
    func failure() throws {
        #expect(throws: Failure.self) { try PreparedFolder.copy(name, to: "\(folder.path)/one") { _ in throw Failure() } }
        #expect(throws: Failure.self) { try copy(to: "two", "second") }
        #expect(try Files.names(in: folder.path) == [])
    }
}
