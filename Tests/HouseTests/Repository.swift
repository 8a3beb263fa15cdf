import Foundation

/// The folder that holds Package.swift, as it is on disk.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.appending(path: path).path) }

    static func hasExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: root.appending(path: path).path)
    }

    /// The Markdown files of the folders for people, sorted; decisions are left out, as they tell of their time.
    static let documents: [String] = {
        ["", "docs", "sql"].flatMap { place in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: place).path)) ?? []
            return names.filter { $0.hasSuffix(".md") }.map { place.isEmpty ? $0 : "\(place)/\($0)" }
        }.sorted()
    }()
}
