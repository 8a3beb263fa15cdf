import Foundation
import Settings
import Testing

@Suite("The settings file of the repository")
struct ExampleFileTests {
    @Test("The file is valid and has only defaults")
    func example() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "config/vitrine.json"), encoding: .utf8)
        let report = try Given(files: ["config/vitrine.json": text]).report()
        #expect(try report.entries.map(\.text) == Given().report().entries.map(\.text))
        #expect(report.entries.contains { $0.origin != .default })
    }
}
