internal import Arguments
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Telemetry
internal import Values

/// The admin API of one server, asked with a token.
struct AdminClient {
    typealias Query = [(name: String, value: String?)]

    /// Which state a change is decided on.
    enum Condition {
        /// That of a tag which was read before.
        case state(String)
        /// That there is nothing yet.
        case absence
    }

    /// How often a change is decided on what there is where somebody else was quicker.
    static let maxAttempts = 20

    /// Decides a change and has it done, and both anew where somebody else was quicker.
    static func retryingOnConflict<Answer>(_ body: (_ isFirst: Bool) async throws -> Answer) async throws -> Answer {
        for attempt in 1..<maxAttempts {
            do { return try await body(attempt == 1) } catch let failure as RemoteError where failure.code == "stale" { continue }
        }
        return try await body(false)
    }

    private static let defaultTimeout = Duration.seconds(60)

    let client: HTTPClient
    let token: Secret
    /// The one that chose the server, whose storefront and locale go before those that commands have by themselves.
    var profile: Profile?
    var timeout = Self.defaultTimeout

    /// What a path shows, with the values of its query where they are not nil. Throws whatever was refused.
    func get(_ path: String, _ query: Query = []) async throws -> JSONNode {
        guard let document = try await state(path, query).document else { throw Self.stranger }
        return document
    }

    /// What a path shows, with the tag that names it.
    func state(_ path: String, _ query: Query = []) async throws -> RemoteResponse { try await send(.get, path, query) }

    /// Throws whatever was refused; a failure of 412 has the state that there is. What changes something is done once, also where it has to be
    /// sent again.
    func send(
        _ method: Method, _ path: String, _ query: Query = [], _ condition: Condition? = nil,
        fields more: [(name: FieldName, value: String)] = [], body: [UInt8] = []
    ) async throws -> RemoteResponse {
        let target = Self.target("/admin/v1/\(path)", query)
        var fields: [(name: FieldName, value: String)] =
            [(.authorization, "Bearer \(token.exposed)"), ("accept", "application/json")] + more
        switch condition {
        case .state(let tag): fields.append((.ifMatch, tag))
        case .absence: fields.append((.ifNoneMatch, "*"))
        case nil: break
        }
        if !body.isEmpty { fields.append((.contentType, "application/json")) }
        if !method.isSafe { fields.append(("idempotency-key", Self.randomKey())) }
        return try await answer(to: OutboundRequest(method, target, fields: fields, body: body))
    }

    /// What clients are shown under a path, which takes no token.
    func shown(_ path: String, _ query: Query = []) async throws -> JSONNode {
        let request = OutboundRequest(.get, Self.target("/v1/\(path)", query), fields: [("accept", "application/json")])
        guard let document = try await answer(to: request).document else { throw Self.stranger }
        return document
    }

    private static func target(_ path: String, _ query: Query) -> String {
        let words = query.compactMap { item in item.value.map { "\(item.name)=\($0.percentEncoded())" } }
        return "\(path.escapedForPath)\(words.isEmpty ? "" : "?")\(words.joined(separator: "&"))"
    }

    private func answer(to request: OutboundRequest) async throws -> RemoteResponse {
        let response = try await response(to: request, until: .after(timeout))
        guard 200..<300 ~= response.status.rawValue else {
            var failure = RemoteError(response)
            if failure.code == "unknownStorefront" {
                // What helps is left out if it cannot be had.
                if let known = try? await storefronts() { failure.advice = "There are \(known.map(\.key).joined(separator: ", "))." }
            }
            throw failure
        }
        let tag = response.tag
        guard !response.body.isEmpty else { return RemoteResponse(document: nil, tag: tag) }
        do throws(JSONError) {
            return RemoteResponse(document: try JSONDocument(parsing: response.body, limits: .ownOutput).root, tag: tag)
        } catch { throw Self.stranger }
    }

    /// Sends a change again where the connection ended behind it: the server knows it by its key.
    private func response(to request: OutboundRequest, until deadline: Deadline) async throws -> InboundResponse {
        do throws(HTTPClientError) {
            return try await client.send(request, until: deadline)
        } catch {
            guard !request.method.isSafe, error.code == .ended else { throw error }
            if let response = try await answer(again: request, until: deadline) { return response }
            throw RemoteError(
                message: "\(error)", advice: "Whether it was done is not known: look before you do it again.", exitCode: .unreachable)
        }
    }

    /// Nil where that is lost as well.
    private func answer(again request: OutboundRequest, until deadline: Deadline) async throws -> InboundResponse? {
        while true {
            let response: InboundResponse
            do throws(HTTPClientError) { response = try await client.send(request, until: deadline) } catch {
                guard error.code == .cancelled else { return nil }
                throw error
            }
            guard response.status == .conflict, RemoteError(response).code == "idempotencyKeyInUse" else { return response }
            try await client.loop.sleep(until: min(deadline, .after(Self.pause)))
        }
    }

    /// Before it is asked again what becomes of a change that it is working on.
    private static let pause = Duration.milliseconds(500)

    private static func randomKey() -> String {
        var numbers = SystemRandomNumberGenerator()
        return "\(String(numbers.next(), radix: 36))-\(String(numbers.next(), radix: 36))"
    }

    static var stranger: RemoteError {
        RemoteError(message: "what answers is no server of Vitrine", advice: "Look at --server.", exitCode: .failed)
    }
}

extension String {
    /// With every byte escaped that would end a path or that no request can have. What is escaped stays so.
    fileprivate var escapedForPath: String {
        percentEncoded { byte in
            switch byte {
            case 0x00...0x20, 0x22, 0x23, 0x3F, 0x7F...: false
            default: true
            }
        }
    }
}

extension AdminClient {
    /// The storefront that was asked for, or that of the profile, or the first that there is.
    func storefront(_ wanted: String?) async throws -> String {
        if let wanted = wanted ?? profile?.storefront { return wanted }
        guard let first = try await storefronts().first else {
            throw RemoteError(message: "the server has no storefronts", advice: "Import some first.", exitCode: .notFound)
        }
        return first.key
    }

    /// The language that was asked for, or that of the profile where its storefront is looked at.
    func locale(_ wanted: String?, in storefront: String?) -> String? {
        if let wanted { return wanted }
        let isOfProfile = storefront == nil || storefront == profile?.storefront || profile?.storefront == nil
        return isOfProfile ? profile?.locale : nil
    }

    /// Items as a storefront shows them, by their ids; those that it does not show are missing.
    func items(_ ids: [String], in storefront: String, _ locale: String?) async throws -> [String: ShownItem] {
        var items: [String: ShownItem] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.maxItems) {
            let words = ids[start..<min(start + Self.maxItems, ids.count)].joined(separator: ",")
            let page = try await shown(
                "\(storefront.percentEncoded())/items", [(name: "ids", value: words), (name: "locale", value: locale)])
            for item in try RemotePage<ShownItem>(page, "items").elements { items[item.id] = item.content }
        }
        return items
    }

    private static let maxItems = 50
}
