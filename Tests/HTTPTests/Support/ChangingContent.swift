import EventLoop
import HTTPMessages
import Host

@testable import HTTP

/// A service with content that changes, whose responses may be repeated. It counts the requests that it receives.
final class ChangingContent: Sendable {
    private struct State {
        var content = 0
        var body = SharedBytes([])
        var received = 0
        var ready = 0
    }

    /// Fields on which the responses depend.
    private static let names: [FieldName] = [
        .acceptEncoding, .acceptLanguage, .authorization, .connection, .expect, .ifNoneMatch, .host, .xForwardedFor, .xRequestID, "cookie",
        "user-agent", "x-a",
    ]

    /// The proxy at 127.0.0.2.
    static let proxies = TrustedProxies([TrustedProxy("127.0.0.2")].compactMap(\.self))

    let generation = ContentGeneration()
    private let state = Locked(State())

    init() { publish(0) }

    /// The number of requests that were not answered by a ready response.
    var received: Int { state.withLock { $0.received } }

    /// The number of ready responses, if a service that repeats responses and one that does not get the same requests.
    var ready: Int { state.withLock { $0.ready } }

    /// The body of all responses under `/page` to other methods than HEAD.
    var body: SharedBytes { state.withLock { $0.body } }

    func publish(_ content: Int, bodyCount: Int = 100) {
        let padding = String(repeating: "\(content % 10)", count: bodyCount)
        let body = SharedBytes(Array("content \(content) \(padding)\n".utf8))
        state.withLock { state in
            state.content = content
            state.body = body
            generation.advance()
        }
    }

    /// Returns the service. With `repeats`, its responses may be repeated for a second, or shorter under `/short`.
    func service(repeats: Bool = true) -> Service {
        Service(
            admit: { _, _ in .body(limit: 1_000) },
            respond: { [self] request in
                let (response, generation) = respond(to: request)
                state.withLock { $0.ready += repeats ? -1 : 1 }
                let head = request.head
                switch head.target.segments.first {
                case "later": return .later { _ in response }
                case "own": return .now(response)
                default:
                    var response = response
                    let time: Duration = head.target.segments.first == "short" ? .microseconds(200) : .seconds(1)
                    let choice = head.target.segments.first == "spoken" ? LanguageChoice { Self.language(AcceptedLanguages($0)) } : nil
                    if repeats {
                        response.repetition = Repetition(of: self.generation, from: generation, until: .after(time), by: choice)
                    }
                    return .now(response)
                }
            },
            refuse: { error, head in
                var response = Response(error.status, body: Body("\(error.reason)\n"))
                response.requestID = head.map { RequestID($0) } ?? RequestID()
                return response
            }, fields: [ResponseField("x-shop", "open")], encryptedFields: [ResponseField("x-shop", "sealed")], proxies: Self.proxies)
    }

    private func respond(to request: Request) -> (Response, generation: UInt64) {
        let (content, body, number) = state.withLock { state in
            state.received += 1
            return (state.content, state.body, generation.current)
        }
        let head = request.head
        var response = Response(.ok, fields: [ResponseField(.etag, "\"\(content)\"")], body: .stored(body))
        response.requestID = RequestID(head)
        if head.fields[.ifNoneMatch] == "\"\(content)\"" {
            response.status = .notModified
        } else if let line = line(request, &response) {
            response.body = Body("content \(content) \(line)\n")
        } else if head.target.segments.first != "page" {
            let fields = Self.names.map { "\($0)=\(head.fields.list($0) ?? "-")" }.joined(separator: " ")
            let line = "\(head.method) \(head.target.path) \(head.target.query.items.count) \(request.body.count)"
            response.body = Body("content \(content) \(line) \(fields)\n")
        }
        return (response, number)
    }

    /// Returns the line of a response that depends on some fields of its request.
    private static func language(_ languages: AcceptedLanguages) -> String { languages.tags.first ?? "-" }

    private func line(_ request: Request, _ response: inout Response) -> String? {
        let head = request.head
        switch head.target.segments.first {
        case "coded":
            // The last field is looked up by some requests only.
            let coding = head.fields.list(.acceptEncoding) ?? "-"
            return "coded \(head.method) \(head.target.query.items.count) \(coding)\(coding == "gzip" ? head.fields["x-a"] ?? "-" : "")"
        case "spoken": return "spoken \(Self.language(AcceptedLanguages(head.fields)))"
        case "traced":
            if let trace = head.fields[.traceparent] { response.fields.append(ResponseField(.traceparent, trace)) }
            response.fields.append(ResponseField("x-last", "\(head.fields[.ifMatch] ?? "-")"))
            return "traced"
        case "scheme":
            if Self.proxies.client(of: head, from: request.peer).isEncrypted { response.fields.append(ResponseField("x-secure", "yes")) }
            return "scheme"
        case "client":
            head.fields.noteClient()
            return "client \(Self.proxies.client(of: head, from: request.peer).address)"
        default: return nil
        }
    }
}

struct WeakBytes: Sendable {
    weak var bytes: SharedBytes?
}
