internal import Arguments
internal import Host
internal import JSON
internal import Values

/// Files that cannot be taken as they are, with everything that is wrong with each.
struct InvalidFilesError: Error {
    /// As `shop/today.jsonc:12:7: …`.
    let lines: [String]
    let advice: String
    var exitCode = ExitCode.invalid

    func complain(on console: Console) -> ExitCode {
        console.say(lines.map { "\($0)\n" }.joined())
        console.complain(lines.count == 1 ? "a file cannot be taken" : "the files cannot be taken", advice: advice)
        return exitCode
    }

    init(lines: [String], advice: String, exitCode: ExitCode = .invalid) {
        self.lines = lines
        self.advice = advice
        self.exitCode = exitCode
    }

    init(_ error: HostError) {
        self.init(
            lines: ["\(error)"], advice: "Name a file or a folder that there is by -f.",
            exitCode: error.code == .notFound ? .notFound : .failed)
    }

    static func lines(of error: JSONError, in name: String) -> [String] {
        let mistakes = error.mistakes.map { mistake in
            let place = mistake.pointer.tokens.isEmpty ? "" : " (\(mistake.pointer.description.printable(limit: 200)))"
            let hint = mistake.hint.map { "; \($0)" } ?? ""
            return
                "\(name):\(mistake.position.line):\(mistake.position.column): \(mistake.message)\(hint)\(place) [\(mistake.code.rawValue)]"
        }
        return mistakes + (error.omitted > 0 ? ["\(name): … and \(error.omitted) more"] : [])
    }
}
