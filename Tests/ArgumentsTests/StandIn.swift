import Arguments
import Foundation
import Values

/// A stub program named `vitrine` in a temporary directory that responds to completion scripts as the tree does.
///
/// A shell runs twice: the first time the program records the request, and the second time it prints the response.
struct StandIn: ~Copyable {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "commands-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let body = "printf '%s\\0' \"$@\" >\"$0.asked\"\ncat \"$0.answer\" 2>/dev/null\n"
        try Data(body.utf8).write(to: directory.appending(path: "vitrine.body"))
        let runner = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../stub-program").standardizedFileURL
        try FileManager.default.createSymbolicLink(at: directory.appending(path: "vitrine"), withDestinationURL: runner)
        for name in ["a draft.yaml", "drafts/x.yaml"] {
            let file = directory.appending(path: name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
    }

    deinit {
        do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
    }

    /// Runs the completion script followed by a driver in a shell, and returns the output of the driver.
    func run(_ shell: Shell, _ driver: String) async throws -> String {
        guard case .text(let script) = Site.root.outcome(of: ["completion", shell.rawValue]) else { return "no script" }
        let arguments = shell == .fish ? ["--no-config", "-c"] : shell == .zsh ? ["-f", "-c"] : ["--norc", "-c"]
        _ = try Tool.run(shell.rawValue, arguments + [script + driver], in: directory)
        let requested = try String(contentsOf: directory.appending(path: "vitrine.asked"), encoding: .utf8)
        let words = requested.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
        guard case .complete(let request) = Site.root.outcome(of: words) else { return "asked \(words)" }
        try Data(await request.response().utf8).write(to: directory.appending(path: "vitrine.answer"))
        return try Tool.run(shell.rawValue, arguments + [script + driver], in: directory).output
    }
}
