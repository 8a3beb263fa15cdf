import Foundation

/// The documentation of feeds for curators.
enum FeedsPage {
    static var text: String {
        get throws {
            let file = URL(filePath: #filePath).appending(path: "../../../../docs/feeds.md").standardizedFileURL
            return try String(contentsOf: file, encoding: .utf8)
        }
    }

    /// Returns the cells of the first table below a heading, without backquotes.
    static func rows(below heading: String) throws -> [[String]] {
        let lines = try text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0 != heading }
        let table = lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).map { row in
            row.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
    }

    /// The first example of the page.
    static var example: String {
        get throws { try String(text.split(separator: "```json\n")[1].split(separator: "```")[0]) }
    }
}
