internal import Arguments
internal import Feeds
import Host
internal import JSON
internal import Values

/// `vitrine validate`: a check of feed documents before they are saved.
struct ValidateFeedsCommand {
    let console: Console

    private static let local = Option(flag: "local", "Check the files without a server.")

    var command: Command {
        Command(
            "validate", "Check feed files",
            discussion: """
                Prints each error with its line, JSON Pointer and code. The server reviews the valid documents. It checks whether the items, \
                categories and charts exist, whether the sections have enough items, and whether the layouts work on every screen. \
                The command exits with 5 \
                if there is an error, but not for warnings.
                """,
            examples: [
                Example("vitrine validate -f today.json", "Check a file."),
                Example("vitrine validate -f feeds/ --local", "Check all files of a folder without a server."),
                Example("vitrine rev show today 1 -o json | vitrine validate -f -", "Review a revision with the current catalog."),
            ],
            options: [FileOptions.files, Self.local, OutputFormat.option] + RemoteSession.options
        ) { invocation in try console.explainingFiles { try run(invocation) } }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let arguments = invocation[FileOptions.files]
        guard !arguments.isEmpty else { throw invocation.usageError("missing option '--file': expected a file, a folder or -") }
        let files = try arguments.flatMap { try read($0) }
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
                console.printStatus("\(validation.file.name): no findings\n")
            }
        case .json: try console.printJSON(validations)
        }
        return validations.contains { !$0.isValid } ? .invalid : .ok
    }

    private func read(_ argument: String) throws -> [ValidatedFile] {
        var files: [ValidatedFile] = []
        let paths = try FeedFolder.paths(of: argument)
        do throws(HostError) {
            for path in paths {
                let bytes = try Files.read(typed: path, limit: 1 << 20)
                files.append(ValidatedFile(name: path == "-" ? "standard input" : path.printable(limit: 200), bytes: bytes))
            }
        } catch {
            throw RemoteError(
                message: error.message(), advice: error.code == .fileTooLarge ? "the maximum size of a feed document is 1 MiB" : "",
                exitCode: error.code == .notFound ? .notFound : .invalid)
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
