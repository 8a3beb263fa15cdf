internal import Arguments
internal import Host

/// The user's text editor, with one temporary file.
struct Editor {
    private let command: String
    /// The environment without the token, which the editor and its child processes must not see.
    private let environment: [String: String]
    let path: String

    /// Creates the file without starting the editor. Only this user can read it, and its name tells the editor its
    /// language.
    init(_ console: Console, fileName: String) throws {
        let set = ["VISUAL", "EDITOR"].lazy.compactMap { console.environment[$0] }.first { !$0.isEmpty }
        let isTerminal = StandardStream.input.isTerminal && StandardStream.errors.isTerminal
        guard let text = set ?? (isTerminal ? "vi" : nil) else {
            throw RemoteError(
                message: "no text editor is configured",
                advice: "set EDITOR to a command, or change a section with the options of 'vitrine section set'",
                exitCode: .usage)
        }
        self.command = text
        environment = console.environment.filter { $0.key != RemoteSession.tokenVariable }
        let folder = "\(console.environment["TMPDIR"] ?? "/tmp")/vitrine-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        try Files.makeDirectory(folder)
        path = "\(folder)/\(fileName)"
    }

    func edit(_ text: String) throws -> String {
        try Descriptor(opening: path, .replace).write(Array(text.utf8), subject: path)
        // A shell splits the command, so that it may have arguments.
        var child = try ProcessLaunch("sh", ["-c", "exec \(command) \"$1\"", "sh", path], environment: environment).startHere()
        let status = try child.wait()
        // Signals that the user typed for the editor are not meant for this command.
        while Signal.next(of: [.interrupt, .quit], within: .zero) != nil {}
        guard status.isSuccess else {
            throw RemoteError(
                message: "the editor '\(command)' ended with \(status)", advice: "check the command in VISUAL or EDITOR", exitCode: .failed)
        }
        // Invalid UTF-8 is rejected, because decoding would change the text.
        guard let text = String(validating: try Files.read(path, limit: 4 << 20), as: UTF8.self) else {
            throw RemoteError(message: "the edited text is not valid UTF-8", advice: "save the file as UTF-8", exitCode: .invalid)
        }
        return text
    }

    /// Removes the file. Other files that an editor left next to it stay.
    func remove() throws(HostError) {
        try Files.remove(path)
        do throws(HostError) { try Files.removeEmptyDirectory(Path.parent(of: path)) } catch {
            guard error.code == .notEmpty else { throw error }
        }
    }
}

/// A comment for the user who edits a text, on its own line above the one that it concerns.
struct EditorComment: Equatable {
    private static let sign = "//!"

    /// The line number, from 1.
    let line: Int
    let text: String

    /// Returns a text with comments, each indented like the line below it.
    static func mark(_ text: String, with comments: [EditorComment]) -> String {
        var lines = lines(of: text)
        // Comments are inserted from the last one up, so that the line numbers above stay valid.
        for comment in comments.enumerated().sorted(by: { ($0.element.line, $0.offset) > ($1.element.line, $1.offset) }).map(\.element) {
            let index = min(max(comment.line, 1), lines.count) - 1
            let margin = lines[index].prefix { $0 == " " || $0 == "\t" }
            lines.insert(contentsOf: comment.text.split(separator: "\n").map { "\(margin)\(sign) \($0)" }, at: index)
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the lines of a text with any line endings.
    private static func lines(of text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    static func unmarked(_ text: String) -> String {
        lines(of: text)
            .filter { line in !line.drop { $0 == " " || $0 == "\t" }.hasPrefix(sign) }
            .joined(separator: "\n")
    }
}
