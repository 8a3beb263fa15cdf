internal import APIFiles
internal import Arguments
internal import HTTP
internal import HTTPMessages
import Host
internal import JSON

/// `vitrine api`: a request to any path of a server, with the token of the user.
struct APICommand {
    let console: Console

    private static let path = Argument(
        "PATH", .text.completed(by: .live { _, _ in Self.paths }), "The path, such as feeds, /admin/v1/feeds or /v1/us/feeds.")
    private static let method = Option("method", short: "X", .method, "The method. Default: GET, or POST with --file.")
    private static let file = Option("file", short: "f", .file, "The body, or - for standard input.")
    private static let headers = Option(
        repeating: "header", short: "H", .anyText.named("HEADER"), "A header of the request as 'Name: value'.")
    private static let includesHead = Option(flag: "include", short: "i", "Print the status line and the headers of the response.")
    private static let paginates = Option(flag: "paginate", "Send a request for each page of a list, until the last page.")

    /// The size of the largest body, which is in memory as a whole.
    private static let maxBytes = 64 << 20

    var command: Command {
        Command(
            "api", "Send a request to the API",
            discussion: """
                Prints the body of the response unchanged, or indented if it is JSON and standard output is a terminal. A path without a \
                leading slash is below \(APIPath.base). The token is sent only to the selected server, and redirects are not followed. If \
                the server rejects the request, the command prints the body too. The HTTP status decides the exit code. The cause of \
                an error is printed to standard error.
                """,
            examples: [
                Example("vitrine api feeds", "List the feeds."),
                Example("vitrine api /v1/us/feeds/today --include", "Show the page of a feed with the headers of the response."),
                Example("vitrine api 'audit?limit=200' --paginate", "Print each page of the audit log."),
                Example("echo '{\"name\": \"nightly\", \"scope\": \"read\"}' | vitrine api tokens -f -", "Create a token with POST."),
            ],
            arguments: [Self.path],
            options: [Self.method, Self.file, Self.headers, Self.includesHead, Self.paginates] + RemoteSession.options
        ) { invocation in try run(invocation) }
    }

    private func run(_ invocation: Invocation) throws -> ExitCode {
        let path: APIPath
        do throws(APIPath.ParseError) { path = try APIPath(invocation[Self.path]) } catch {
            throw invocation.usageError("invalid path \(invocation[Self.path].quoted): expected \(error.expectation)")
        }
        let file = invocation[Self.file]
        let method = invocation[Self.method] ?? (file == nil ? .get : .post)
        guard method == .get || !invocation[Self.paginates] else {
            throw invocation.usageError("option '--paginate' needs the method GET")
        }
        if file == "-", RemoteSession.takesInput(invocation) { throw invocation.usageError("only one option can read standard input") }
        var fields = try Self.fields(invocation)
        let body = try file.map { try Self.body($0) } ?? []
        func isMissing(_ name: String) -> Bool { !fields.contains { $0.name.lowercased() == name } }
        if isMissing("accept") { fields.append(("accept", "application/json")) }
        if !body.isEmpty, isMissing("content-type") { fields.append(("content-type", "application/json")) }
        let paginates = invocation[Self.paginates]
        let output = ResponseOutput(
            isIndented: StandardStream.output.isTerminal, includesHead: invocation[Self.includesHead], endsLine: paginates)
        let request = APIRequest(method: method, path: path, fields: fields, body: body, paginates: paginates, output: output)
        try RemoteSession(console: console).run(invocation) { server in try await request.send(to: server) }
        return .ok
    }

    /// Returns the headers of the command line. Throws if one is malformed, or if the program sets it.
    private static func fields(_ invocation: Invocation) throws -> [(name: String, value: String)] {
        try invocation[headers].map { text in
            let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let value = parts.count == 2 ? String(parts[1].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) : ""
            guard parts.count == 2, name.isFieldName, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw invocation.usageError("invalid value \(text.quoted) for '--header': expected 'Name: value' on one line")
            }
            guard !ownFields.contains(name.lowercased()) else {
                let hint = name.lowercased() == "authorization" ? "use --token-file, \(RemoteSession.tokenVariable) or a profile" : nil
                throw invocation.usageError("invalid header '\(name)' for '--header': the program sets it", hint: hint)
            }
            return (name, value)
        }
    }

    /// The headers of the connection and the token, which a second value would contradict.
    private static let ownFields: Set = [
        "accept-encoding", "authorization", "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    private static func body(_ path: String) throws -> [UInt8] {
        do throws(HostError) { return try Files.read(typed: path, limit: maxBytes) } catch {
            throw RemoteError(message: error.message(), advice: "", exitCode: error.code == .notFound ? .notFound : .invalid)
        }
    }

    /// The paths of GET requests, each up to its first parameter.
    private static var paths: [CompletionCandidate] {
        let document: JSONDocument
        do throws(JSONError) { document = try JSONDocument(parsing: APIFiles.openAPI, limits: .ownOutput) } catch { return [] }
        var candidates: [CompletionCandidate] = []
        for path in document.root["paths"]?.members.map({ $0 }) ?? [] {
            guard let summary = path.value["get"]?["summary"]?.string else { continue }
            let text = String(path.key.prefix { $0 != "{" })
            if !candidates.contains(where: { $0.word == text }) { candidates.append(CompletionCandidate(text, summary)) }
        }
        return candidates
    }
}

extension ValueFormat<Method> {
    fileprivate static var method: ValueFormat {
        let known: [Method] = [.get, .head, .post, .put, .patch, .delete, .options]
        return ValueFormat(
            "METHOD",
            read: { text throws(InvalidValue) in
                guard let method = known.first(where: { $0.description == text.uppercased() }) else {
                    throw InvalidValue(expected: "one of \(known.map(\.description).joined(separator: ", "))")
                }
                return method
            },
            write: \.description)
    }
}
