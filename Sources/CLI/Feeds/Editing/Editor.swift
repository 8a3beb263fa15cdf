internal import Arguments
internal import Host

/// The editor of whoever runs a command, with one file for as long as that is needed.
struct Editor {
    private let words: String
    /// Without the token: an editor and all that it starts have no use for it.
    private let environment: [String: String]
    let path: String

    /// Nothing is started yet. The file is nobody else's to read, and has the name that tells an editor its language.
    init(_ console: Console, fileName: String) throws {
        let set = ["VISUAL", "EDITOR"].lazy.compactMap { console.environment[$0] }.first { !$0.isEmpty }
        let isTerminal = StandardStream.input.isTerminal && StandardStream.errors.isTerminal
        guard let words = set ?? (isTerminal ? "vi" : nil) else {
            throw RemoteError(
                message: "there is no editor", advice: "Name one in EDITOR, or change a section with vitrine section set and flags.",
                exitCode: .usage)
        }
        self.words = words
        environment = console.environment.filter { $0.key != RemoteSession.tokenVariable }
        let folder = "\(console.environment["TMPDIR"] ?? "/tmp")/vitrine-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        try Files.makeDirectory(folder)
        path = "\(folder)/\(fileName)"
    }

    func edit(_ text: String) throws -> String {
        try Descriptor(opening: path, .replace).write(Array(text.utf8), subject: path)
        // As a shell reads it, so that it may have words of its own.
        var child = try ProcessLaunch("sh", ["-c", "exec \(words) \"$1\"", "sh", path], environment: environment).startHere()
        let status = try child.wait()
        // What a person typed to the editor is not meant for us.
        while Signal.next(of: [.interrupt, .quit], within: .zero) != nil {}
        guard status.isSuccess else {
            throw RemoteError(message: "the editor \(words) ended with \(status)", advice: "Look at EDITOR.", exitCode: .failed)
        }
        // What would be read otherwise than it was written is not taken.
        guard let text = String(validating: try Files.read(path, limit: 4 << 20), as: UTF8.self) else {
            throw RemoteError(message: "what was written is no UTF-8", advice: "Have the editor save it as that.", exitCode: .invalid)
        }
        return text
    }

    /// What an editor has left beside it stays there.
    func remove() throws(HostError) {
        try Files.remove(path)
        do throws(HostError) { try Files.removeEmptyDirectory(Path.parent(of: path)) } catch {
            guard error.code == .notEmpty else { throw error }
        }
    }
}

/// Something said to whoever edits a text, in a line of its own above the one that it is about.
struct EditorComment: Equatable {
    private static let sign = "//!"

    /// From 1.
    let line: Int
    let text: String

    /// A text with remarks, each as far in as the line below it.
    static func mark(_ text: String, with comments: [EditorComment]) -> String {
        var lines = lines(of: text)
        // From the last, so that the numbers of those above stay right.
        for comment in comments.enumerated().sorted(by: { ($0.element.line, $0.offset) > ($1.element.line, $1.offset) }).map(\.element) {
            let place = min(max(comment.line, 1), lines.count) - 1
            let margin = lines[place].prefix { $0 == " " || $0 == "\t" }
            lines.insert(contentsOf: comment.text.split(separator: "\n").map { "\(margin)\(sign) \($0)" }, at: place)
        }
        return lines.joined(separator: "\n")
    }

    /// However an editor ends them.
    private static func lines(of text: String) -> [String] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
    }

    static func unmarked(_ text: String) -> String {
        lines(of: text)
            .filter { line in !line.drop { $0 == " " || $0 == "\t" }.hasPrefix(sign) }
            .joined(separator: "\n")
    }
}
