import Foundation

/// A program that runs to its end.
struct Program {
    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    struct NotBuilt: Error, CustomStringConvertible {
        let description: String
    }

    let file: URL
    var environment: [String: String] = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]

    func run(_ arguments: [String]) throws -> Result {
        let scratch = try Scratch()
        let process = Process()
        process.executableURL = file
        process.arguments = arguments
        process.currentDirectoryURL = scratch.directory
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try scratch.handle(forWriting: "out")
        process.standardError = try scratch.handle(forWriting: "err")
        try process.run()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: try scratch.text(of: "out"), errors: try scratch.text(of: "err"))
    }
}

/// Returns the `vitrine` program that was built with these tests, in the same directory.
func binary() throws -> Program {
    let directory = Bundle.main.executableURL?.deletingLastPathComponent() ?? Repository.root.appending(path: ".build/debug")
    let file = directory.appending(path: "vitrine")
    guard FileManager.default.isExecutableFile(atPath: file.path) else {
        throw Program.NotBuilt(description: "there is no \(file.path); Package.swift has no product vitrine, or it was not built")
    }
    return Program(file: file)
}
