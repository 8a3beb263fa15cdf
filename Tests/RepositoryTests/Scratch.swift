import Foundation

/// A temporary folder, removed with the last reference to it.
final class Scratch: Sendable {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "house-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func write(_ text: String, to path: String) throws {
        let file = directory.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    func text(of path: String) throws -> String { try String(contentsOf: directory.appending(path: path), encoding: .utf8) }

    func handle(forWriting path: String) throws -> FileHandle {
        try write("", to: path)
        return try FileHandle(forWritingTo: directory.appending(path: path))
    }
}
