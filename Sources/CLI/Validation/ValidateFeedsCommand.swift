internal import Arguments
internal import Feeds
import Host
internal import JSON
internal import Values

/// `vitrine validate`: a check of feed documents before they are saved.
struct ValidateFeedsCommand {
    let console: Console

    private static let files = Option(
        repeating: "file", short: "f", .file.named("FILE|DIR"), "A document, a folder of them, or - for standard input.")
    private static let local = Option(flag: "local", "Looks at the documents alone and asks no server.")

    var command: Command {
        Command(
            "validate", "Tells what is wrong with feed documents in files.",
            discussion: """
                Every mistake is told with its line, its JSON Pointer and a code. What is right by itself is reviewed by the server: whether its items, \
                categories and charts are there, whether sections have enough to show, and whether layouts work on every screen. Exits with 5 \
                where there is an error; warnings alone are none.
                """,
            examples: [
                Example("vitrine validate -f today.json", "Checks a file."),
                Example("vitrine validate -f feeds/ --local", "Checks all files of a folder, without a server."),
                Example("vitrine rev show today 1 -o json | vitrine validate -f -", "Checks a revision against the shop as it is now."),
            ],
            options: [Self.files, Self.local, OutputFormat.option] + RemoteSession.options
        ) { invocation in try console.explainingFiles { try run(invocation) } }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let words = invocation[Self.files]
        guard !words.isEmpty else { throw invocation.usageError("Name what to check by -f.") }
        let files = try words.flatMap { try read($0) }
        var validations = files.map { FileValidationResult(file: $0, findings: nil) }
        if !invocation[Self.local], files.contains(where: { $0.document != nil }) {
            let found = try RemoteSession(console: console).run(invocation) { server in
                var validations: [FileValidationResult] = []
                for file in files {
                    var findings: [ReviewFinding]?
                    if let document = file.document { findings = try await server.findings(in: document) }
                    validations.append(FileValidationResult(file: file, findings: findings))
                }
                return validations
            }
            validations = found
        }
        switch invocation[OutputFormat.option] {
        case .table:
            try console.print(validations.flatMap(\.lines).map { "\($0)\n" }.joined())
            for validation in validations where validation.notes.isEmpty {
                console.printStatus("\(validation.file.name): nothing to tell\n")
            }
        case .json: try console.printJSON(validations)
        }
        return validations.contains { !$0.isValid } ? .invalid : .ok
    }

    private func read(_ word: String) throws -> [ValidatedFile] {
        var files: [ValidatedFile] = []
        let paths = try FeedFolder.paths(of: word)
        do throws(HostError) {
            for path in paths {
                let bytes = try Files.read(typed: path, limit: 1 << 20)
                files.append(ValidatedFile(name: path == "-" ? "standard input" : path.printable(limit: 200), bytes: bytes))
            }
        } catch {
            let isMissing = error.code == .notFound
            throw RemoteError(
                message: isMissing ? "there is no file called \(word.printable(limit: 80))" : "\(error)",
                advice: error.code == .fileTooLarge ? "A feed document may have 1 MiB." : "", exitCode: isMissing ? .notFound : .invalid)
        }
        return files
    }
}

private struct FileValidationResult: Sendable, JSONObjectEncodable {
    let file: ValidatedFile
    /// The findings of a server; nil if no server was used.
    let findings: [ReviewFinding]?

    /// The issues and findings, errors first.
    var notes: [ValidatedFile.Note] { file.issues + (findings ?? []).map(file.note) }

    var isValid: Bool { !notes.contains { $0.severity == "error" } }

    var lines: [String] { notes.map { $0.line(in: file.name) } }

    func encodeMembers(to json: inout JSONWriter) {
        json.member("file", file.name)
        json.member("valid", isValid)
        json.member("reviewed", findings != nil)
        json.member("findings", notes)
    }
}
