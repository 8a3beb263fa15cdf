internal import Arguments
internal import Host
internal import JSON
internal import Values

/// Invalid files, with all issues of each.
struct InvalidFilesError: Error {
    /// The issues in the form `site/today.jsonc:12:7: …`.
    let lines: [String]
    let message: String
    let advice: String
    var exitCode = ExitCode.invalid

    func printError(on console: Console) -> ExitCode {
        console.printStatus(lines.map { "\($0)\n" }.joined())
        console.printError(message, advice: advice)
        return exitCode
    }

    /// Creates an error. Without a message, it says that the files are invalid.
    init(lines: [String] = [], _ message: String? = nil, advice: String, exitCode: ExitCode = .invalid) {
        self.lines = lines
        self.message = message ?? (lines.count == 1 ? "invalid file" : "invalid files")
        self.advice = advice
        self.exitCode = exitCode
    }

    init(_ error: HostError) {
        self.init(
            error.message(), advice: "name an existing file or folder with '--file'",
            exitCode: error.code == .notFound ? .notFound : .failed)
    }

    static func lines(of error: JSONError, in name: String) -> [String] {
        let issues = error.issues.map { issue in
            let pointer = issue.pointer.tokens.isEmpty ? "" : "\(issue.pointer.description.printable(limit: 200)): "
            let hint = issue.hint.map { "; \($0)" } ?? ""
            let location = "\(name):\(issue.position.line):\(issue.position.column)"
            return "\(location): error: \(pointer)\(issue.message)\(hint) [\(issue.code.rawValue)]"
        }
        return issues + (error.omitted > 0 ? ["\(name): … and \(error.omitted) more"] : [])
    }
}
