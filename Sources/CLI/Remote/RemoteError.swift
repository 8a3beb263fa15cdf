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
}

extension RemoteError {
    init(_ error: HTTPClientError, asking chosen: ServerSelection) {
        self.init(
            message: "\(error)",
            advice:
                "It was to ask \(chosen.server), \(chosen.origin).\nStart one with vitrine dev, or name one by --server, --profile or \(ServerURL.variable).",
            exitCode: error.code == .cancelled ? .interrupted : .unreachable)
        leavesOpen = true
    }

    /// Creates the error of an unexpected response.
    init(_ response: InboundResponse) {
        var problem: RemoteProblem?
        do throws(JSONError) { problem = try JSONDocument(parsing: response.body, limits: .ownOutput).root.decodeLeniently() } catch {}
        let request = problem?.requestID.map { ["The server's log has it as \($0.printable(limit: 128))."] }
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
        let lines = problem?.errors.map(\.line) ?? []
        let advice = lines + Self.advice(response, problem) + (response.status.rawValue >= 500 ? request ?? [] : [])
        self.init(
            message: problem?.detail?.printable(limit: 500) ?? "the server answers \(response.status)",
            advice: advice.joined(separator: "\n"), exitCode: exitCode, code: problem?.code)
        issues = problem?.errors.compactMap { error in error.pointer.map { ($0, error.message.printable(limit: 300)) } } ?? []
        if response.status == .preconditionFailed { current = RemoteResponse(document: problem?.current, tag: response.tag) }
    }

    private static func advice(_ response: InboundResponse, _ problem: RemoteProblem?) -> [String] {
        switch response.status {
        case .conflict where problem?.code == "ambiguousItem":
            ["Say which:"]
                + (problem?.candidates ?? []).map { item in
                    "\(CatalogItem.name(kind: item.kind, slug: item.slug)), \(item.id), from \(item.source)".printable(limit: 300)
                }
        case .conflict where problem?.code == "noPreviousRevision":
            ["vitrine rollback FEED --to REV names it; vitrine rev ls FEED lists them."]
        case .notFound:
            switch problem?.code {
            case "unknownFeed": ["vitrine feed ls lists those that there are."]
            case "unknownDraft":
                [
                    "vitrine feed ls lists the feeds, and vitrine feed show FEED the lines of one.",
                    "Begin a line: vitrine export FEED | vitrine feed create FEED --line LINE -f -",
                ]
            case "unknownRevision": ["vitrine rev ls lists those of a feed."]
            case "unknownItem": ["vitrine item ls lists those that there are, or are withdrawn with --withdrawn."]
            case "unknownToken": ["vitrine token ls lists those that there are."]
            case "unknownPublication": ["vitrine schedule ls lists those that there are."]
            default: []
            }
        case .unauthorized: ["Set \(RemoteSession.tokenVariable), or name a file by --token-file; \(RemoteSession.whereTokensComeFrom)"]
        case .tooManyRequests: response.retryAfter.map { ["Try again in \($0) seconds."] } ?? []
        default: []
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
