import Foundation
import JSON

/// The feed `today` as a curator writes it, with one of most things.
enum ExampleFeed {
    static var text: String {
        get throws { String(decoding: try fixture("feed.json"), as: UTF8.self) }
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)")
        return Array(try Data(contentsOf: file))
    }

    static var bytes: [UInt8] { get throws { Array(try text.utf8) } }

    /// Returns a document with one valid section, except for the given fields: JSON text by key, or nil to omit one.
    static func document(_ members: [String: String?] = [:], sections more: String = "", feed: [String: String?] = [:]) -> String {
        let right = ["key": "\"hero\"", "layout": #"{"list": {}}"#, "cell": "\"appRow\"", "rule": #"{"kind": "topApp"}"#]
        let section = object(right, members)
        return object(["format": "2", "feed": "\"today\"", "title": #"{"en": "Today"}"#, "sections": "[\(section)\(more)]"], feed)
    }

    private static func object(_ right: [String: String], _ others: [String: String?]) -> String {
        var members = right
        for (key, text) in others { members[key] = text }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }
}
