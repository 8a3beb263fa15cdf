internal import Arguments
internal import CatalogImport
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Values

struct RemoteError: Error {
    let message: String
    var advice: String
    let exitCode: ExitCode
    /// The problem code of the API, for commands that handle it; nil if the error is not from a server.
    var code: String?
    /// The path and query of the rejected request; nil if the user wrote the request.
    var target: String?
    /// The issues of the document that was sent, with their locations.
    var issues: [(pointer: JSONPointer, message: String)] = []
    var current: RemoteResponse?
    /// Whether the result of a change is unknown, because no server responded or the server failed.
    var leavesOpen = false
    /// The lines between the message and the advice: issues with their locations, or candidates.
    var details: [String] = []
}

extension RemoteError {
    init(_ error: HTTPClientError, asking chosen: ServerSelection) {
        self.init(
            message: "\(error)",
            advice:
                "the server is \(chosen.server) (\(chosen.origin))\nstart one with 'vitrine dev', or select another with --server, --profile or \(ServerURL.variable)",
            exitCode: error.code == .cancelled ? .interrupted : .unreachable)
        leavesOpen = true
    }

    /// Creates the error of a rejected request. `target` is its path and query, and `flags` select the same server in a
    /// suggested command. With a nil target, the user wrote the request, and the error keeps the terms of the API.
    init(_ response: InboundResponse, to target: String? = nil, flags: String = "") {
        var problem: RemoteProblem?
        do throws(JSONError) { problem = try JSONDocument(parsing: response.body, limits: .ownOutput).root.decodeLeniently() } catch {}
        let request = problem?.requestID.map { ["find the request \($0.printable(limit: 128)) in the log of the server"] }
        let exitCode: ExitCode =
            switch response.status {
            case .unauthorized, .forbidden: .notAllowed
            case .notFound, .gone: .notFound
            case .conflict, .preconditionFailed, .preconditionRequired: .conflict
            case .badRequest, .contentTooLarge, .unprocessableContent: .invalid
            case .unavailable, .tooManyRequests: .unreachable
            // A proxy returns 502 or 504 if it cannot reach its server.
            default: [502, 504].contains(response.status.rawValue) ? .unreachable : .failed
            }
        let sentences = problem?.detail?.printable(limit: 500).sentences ?? ["the server responded with \(response.status)"]
        // A command to try replaces the remedy of the server, which is for programs.
        let remedy =
            target.flatMap { RemoteAdvice(target: $0, flags: flags).lines(for: response, problem?.code) } ?? Array(sentences.dropFirst())
        let advice = remedy + (response.status.rawValue >= 500 ? request ?? [] : [])
        let options = target == nil ? [] : problem?.options ?? []
        self.init(
            message: options.count == 1 ? options[0] : sentences.first ?? "", advice: advice.joined(separator: "\n"), exitCode: exitCode,
            code: problem?.code)
        self.target = target
        details = (options.isEmpty ? problem?.errors.map(\.line) ?? [] : options.count == 1 ? [] : options) + Self.candidates(problem)
        issues = problem?.errors.compactMap { error in error.pointer.map { ($0, error.message.printable(limit: 300)) } } ?? []
        if response.status == .preconditionFailed { current = RemoteResponse(document: problem?.current, tag: response.tag) }
    }
}

extension RemoteError {
    /// Returns the items that an ambiguous name may mean.
    private static func candidates(_ problem: RemoteProblem?) -> [String] {
        (problem?.candidates ?? []).map { item in
            "\(CatalogItem.name(kind: item.kind, slug: item.slug)), \(item.id), source \(item.source)".printable(limit: 300)
        }
    }
}

extension String {
    /// The sentences of a problem's detail in the form of error messages: in lower case, without final periods.
    fileprivate var sentences: [String] {
        var sentences: [String] = []
        for part in split(separator: ". ") {
            let continues = part.first.map { !$0.isUppercase } ?? true
            if continues, let last = sentences.popLast() { sentences.append("\(last). \(part)") } else { sentences.append(String(part)) }
        }
        return sentences.map { sentence in
            let word = sentence.prefix { $0 != " " }
            // A name such as PostgreSQL or TopApp keeps its capital.
            let isName = word == "Vitrine" || word.dropFirst().contains(where: \.isUppercase)
            let text = isName ? sentence : sentence.prefix(1).lowercased() + sentence.dropFirst()
            return text.last == "." ? String(text.dropLast()) : text
        }
    }
}

/// The problem details of a rejected request, in the form of RFC 9457.
struct RemoteProblem: JSONObjectDecodable {
    struct FieldError: JSONObjectDecodable {
        let pointer: JSONPointer?
        let parameter: String?
        let message: String

        var line: String {
            let location = pointer?.description ?? parameter ?? ""
            return "\(location.isEmpty ? "" : "\(location): ")\(message)".printable(limit: 300)
        }

        /// The option of a command for the parameter: `--slug-prefix` for `slugPrefix`.
        fileprivate var option: String {
            switch parameter ?? "" {
            case "q": "WORD"
            case "revision": "--rev"
            case let name: name.reduce(into: "--") { $0 += $1.isUppercase ? "-\($1.lowercased())" : "\($1)" }
            }
        }

        init(_ object: inout JSONObjectReader) throws(JSONReadError) {
            pointer = object.optional("pointer")
            parameter = object.optional("parameter")
            message = object.value("message", default: "")
        }
    }

    let code: String?
    let detail: String?
    let requestID: String?
    let errors: [FieldError]
    let candidates: [StoredItem.Candidate]
    let current: JSONNode?

    /// The issues as messages about the options that set the query parameters; empty if an issue is of another kind.
    var options: [String] {
        guard errors.allSatisfy({ $0.parameter != nil }) else { return [] }
        return errors.map { "invalid value for '\($0.option)': \($0.message)".printable(limit: 300) }
    }

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        code = object.optional("code")
        detail = object.optional("detail")
        requestID = object.optional("requestId")
        errors = object.lossyArray("errors")
        candidates = object.lossyArray("candidates")
        current = object.member("current")?.node
    }
}
