import Foundation
import TestSupport

/// The folder of Package.swift on disk.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.appending(path: path).path) }

    static func hasExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: root.appending(path: path).path)
    }

    /// Returns the sorted Markdown files of the folders for readers. Each folder must have some.
    static func documents() throws -> [String] {
        try ["", "docs", "docs/decisions", "sql"].flatMap { location in
            let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: location).path)
            return try nonEmpty(names.filter { $0.hasSuffix(".md") }, "documents in the folder '\(location)'").map {
                location.isEmpty ? $0 : "\(location)/\($0)"
            }
        }.sorted()
    }
}
