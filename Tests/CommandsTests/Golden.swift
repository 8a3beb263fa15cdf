import Foundation
import Testing

/// Compares a text with the file of this name in `Goldens`; `RECORD_GOLDENS=1 swift test` writes the files instead.
func expectGolden(_ name: String, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Goldens/\(name)")
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text, "Goldens/\(name)", sourceLocation: sourceLocation)
}
