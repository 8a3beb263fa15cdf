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

    /// Creates the error of an unexpected response.
    init(_ response: InboundResponse) {
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
        let advice = sentences.dropFirst() + Self.advice(response, problem) + (response.status.rawValue >= 500 ? request ?? [] : [])
        self.init(
            message: sentences.first ?? "", advice: advice.joined(separator: "\n"), exitCode: exitCode, code: problem?.code)
        details = (problem?.errors.map(\.line) ?? []) + Self.candidates(problem)
        issues = problem?.errors.compactMap { error in error.pointer.map { ($0, error.message.printable(limit: 300)) } } ?? []
        if response.status == .preconditionFailed { current = RemoteResponse(document: problem?.current, tag: response.tag) }
    }

    private static func advice(_ response: InboundResponse, _ problem: RemoteProblem?) -> [String] {
        switch response.status {
        case .conflict where problem?.code == "noPreviousRevision":
            ["choose a revision with 'vitrine rollback FEED --rev N'; 'vitrine rev ls FEED' lists the revisions"]
        case .notFound:
            switch problem?.code {
            case "unknownFeed": ["list the feeds with 'vitrine feed ls'"]
            case "unknownDraft":
                [
                    "list the feeds with 'vitrine feed ls', and the lines of a feed with 'vitrine feed show FEED'",
                    "start a line with 'vitrine export FEED | vitrine feed create FEED --line LINE -f -'",
                ]
            case "unknownRevision": ["list the revisions with 'vitrine rev ls FEED'"]
            case "unknownItem": ["list the items with 'vitrine item ls --include-withdrawn'"]
            case "unknownToken": ["list the tokens with 'vitrine token ls'"]
            case "unknownPublication": ["list the publications with 'vitrine schedule ls FEED'"]
            default: []
            }
        case .unauthorized: ["set \(RemoteSession.tokenVariable) or use --token-file; \(RemoteSession.tokenHint)"]
        case .tooManyRequests: response.retryAfter.map { ["try again in \($0) seconds"] } ?? []
        default: []
        }
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
            let place = pointer?.description ?? parameter ?? ""
            return "\(place.isEmpty ? "" : "\(place): ")\(message)".printable(limit: 300)
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

    init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        code = object.optional("code")
        detail = object.optional("detail")
        requestID = object.optional("requestId")
        errors = object.lossyArray("errors")
        candidates = object.lossyArray("candidates")
        current = object.member("current")?.node
    }
}
