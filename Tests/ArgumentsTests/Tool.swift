import Foundation
import Values

/// A program of this machine.
enum Tool {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    static func isInstalled(_ name: String) -> Bool { path(of: name) != nil }

    /// Runs the program to its end, with the directory first on its `PATH`.
    static func run(_ name: String, _ arguments: [String], in directory: URL? = nil, input: String = "") throws -> Result {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "commands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        let files = ["in", "out", "err"].map { scratch.appending(path: $0) }
        try Data(input.utf8).write(to: files[0])
        for file in files.dropFirst() { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: path(of: name) ?? "/nonexistent/\(name)")
        process.arguments = arguments
        process.currentDirectoryURL = directory ?? scratch
        process.environment = ["PATH": "\(directory?.path ?? scratch.path):/usr/bin:/bin", "HOME": scratch.path, "LC_ALL": "C.UTF-8"]
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        let result = Result(
            status: process.terminationStatus, output: try String(contentsOf: files[1], encoding: .utf8),
            errors: try String(contentsOf: files[2], encoding: .utf8))
        try FileManager.default.removeItem(at: scratch)
        return result
    }

    private static func path(of name: String) -> String? {
        ["/usr/bin/\(name)", "/bin/\(name)", "/usr/local/bin/\(name)"].first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
