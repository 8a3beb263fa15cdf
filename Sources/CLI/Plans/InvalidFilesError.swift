internal import Arguments
internal import Host
internal import JSON
internal import Values

/// Invalid files, with all issues of each.
struct InvalidFilesError: Error {
    /// The issues in the form `site/today.jsonc:12:7: …`.
    let lines: [String]
    let advice: String
    var exitCode = ExitCode.invalid

    func printError(on console: Console) -> ExitCode {
        console.printStatus(lines.map { "\($0)\n" }.joined())
        console.printError(lines.count == 1 ? "invalid file" : "invalid files", advice: advice)
        return exitCode
    }

    init(lines: [String], advice: String, exitCode: ExitCode = .invalid) {
        self.lines = lines
        self.advice = advice
        self.exitCode = exitCode
    }

    init(_ error: HostError) {
        self.init(
            lines: ["\(error)"], advice: "name an existing file or folder with '--file'",
            exitCode: error.code == .notFound ? .notFound : .failed)
    }

    static func lines(of error: JSONError, in name: String) -> [String] {
        let issues = error.issues.map { issue in
            let place = issue.pointer.tokens.isEmpty ? "" : " (\(issue.pointer.description.printable(limit: 200)))"
            let hint = issue.hint.map { "; \($0)" } ?? ""
            return
                "\(name):\(issue.position.line):\(issue.position.column): \(issue.message)\(hint)\(place) [\(issue.code.rawValue)]"
        }
        return issues + (error.omitted > 0 ? ["\(name): … and \(error.omitted) more"] : [])
    }
}
