import Foundation

/// A text file in the folder `Goldens` next to a test. `RECORD_GOLDENS=1 swift test` writes the files instead of only reading them.
package struct Golden {
    private let file: URL

    package init(_ name: String, beside test: String = #filePath) {
        file = URL(filePath: test).deletingLastPathComponent().appending(path: "Goldens/\(name)")
    }

    /// Creates a golden of another file, such as a document.
    package init(path: String) {
        file = URL(filePath: path)
    }

    /// Returns the text of the file, which is `text` itself while golden files are recorded.
    package func text(recording text: String) throws -> String {
        if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        return try String(contentsOf: file, encoding: .utf8)
    }
}
