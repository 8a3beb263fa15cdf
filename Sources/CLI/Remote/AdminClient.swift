internal import Arguments
internal import EventLoop
internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import Items
internal import JSON
internal import Telemetry
internal import Values

/// A client of the admin API of one server.
struct AdminClient {
    typealias Query = [(name: String, value: String?)]

    /// The condition of a change on the current state of a resource.
    enum Condition {
        /// The state with this ETag, which was read before.
        case state(String)
        /// The resource does not exist yet.
        case absence
    }

    /// The maximum number of attempts at a change if other users save first.
    static let maxAttempts = 20

    /// Computes and sends a change, and repeats both if another user saved first.
    static func retryingOnConflict<Result>(_ body: (_ isFirst: Bool) async throws -> Result) async throws -> Result {
        for attempt in 1..<maxAttempts {
            do { return try await body(attempt == 1) } catch let failure as RemoteError where failure.code == "stale" { continue }
        }
        return try await body(false)
    }

    private static let defaultTimeout = Duration.seconds(60)

    let client: HTTPClient
    let token: Secret
    /// The selected profile. Its storefront and locale take precedence over the defaults of commands.
    var profile: Profile?
    var timeout = Self.defaultTimeout
    /// The flags by which another command selects the same server, for suggested commands.
    var flags = ""

    /// Returns the document of a path. Query parameters with a nil value are omitted. Throws if the server rejects the
    /// request.
    func get(_ path: String, _ query: Query = []) async throws -> JSONNode {
        guard let document = try await state(path, query).document else { throw Self.notVitrineServer }
        return document
    }

    /// Returns the document of a path with its ETag.
    func state(_ path: String, _ query: Query = []) async throws -> RemoteResponse { try await send(.get, path, query) }

    /// Sends a request. Throws if the server rejects it; the error of a 412 has the current state.
    ///
    /// A change is carried out only one time, even if the request is sent again.
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
        return try await sendRequest(to: OutboundRequest(method, target, fields: fields, body: body))
    }

    /// Sends a request as it is, with the token, and returns the response, whatever its status is. A change is sent only
    /// one time.
    func exchange(
        _ method: Method, _ target: String, otherFields: [(name: String, value: String)], body: [UInt8]
    ) async throws -> InboundResponse {
        let request = OutboundRequest(
            method, target, fields: [(.authorization, "Bearer \(token.exposed)")], otherFields: otherFields, body: body)
        do throws(HTTPClientError) {
            return try await client.send(request, until: .after(timeout))
        } catch {
            throw Self.isUnsure(error, after: method) ? Self.unsure(error) : error
        }
    }

    /// Returns the document of a path of the public API, without sending the token.
    func getPublic(_ path: String, _ query: Query = []) async throws -> JSONNode {
        let request = OutboundRequest(.get, Self.target("/v1/\(path)", query), fields: [("accept", "application/json")])
        guard let document = try await sendRequest(to: request).document else { throw Self.notVitrineServer }
        return document
    }

    private static func target(_ path: String, _ query: Query) -> String {
        let parameters = query.compactMap { item in item.value.map { "\(item.name)=\($0.percentEncoded())" } }
        return "\(path.escapedForPath)\(parameters.isEmpty ? "" : "?")\(parameters.joined(separator: "&"))"
    }

    private func sendRequest(to request: OutboundRequest) async throws -> RemoteResponse {
        let response = try await response(to: request, until: .after(timeout))
        guard 200..<300 ~= response.status.rawValue else {
            throw RemoteError(response, to: request.target, flags: flags)
        }
        let tag = response.tag
        guard !response.body.isEmpty else { return RemoteResponse(document: nil, tag: tag) }
        do throws(JSONError) {
            return RemoteResponse(document: try JSONDocument(parsing: response.body, limits: .ownOutput).root, tag: tag)
        } catch { throw Self.notVitrineServer }
    }

    /// Returns an error for users, whose advice names the existing storefronts, or the feed with a similar key. It asks
    /// the server for them.
    func advised(_ failure: RemoteError) async -> RemoteError {
        guard let target = failure.target, let advice = await choices(after: failure, target) else { return failure }
        var failure = failure
        failure.advice = advice
        return failure
    }

    private func choices(after failure: RemoteError, _ target: String) async -> String? {
        do {
            switch failure.code {
            case "unknownStorefront": return "use one of \(try await storefronts().map(\.key).joined(separator: ", "))"
            case "unknownFeed":
                let feed = RemoteAdvice(target: target, flags: flags).feed
                let keys = try await page("feeds", "feeds", of: FeedSummary.self).elements.map(\.key)
                return feed.nearest(among: keys).map { "did you mean '\($0)'?" }
            default: return nil
            }
        } catch {
            return nil
        }
    }

    /// Sends a change again if the connection ended after the request. The server recognizes it by its idempotency key.
    private func response(to request: OutboundRequest, until deadline: Deadline) async throws -> InboundResponse {
        do throws(HTTPClientError) {
            return try await client.send(request, until: deadline)
        } catch {
            guard Self.isUnsure(error, after: request.method) else { throw error }
            if error.code == .ended, let response = try await sendRequest(again: request, until: deadline) { return response }
            throw Self.unsure(error)
        }
    }

    /// Whether a change may have been made although no response arrived.
    private static func isUnsure(_ error: HTTPClientError, after method: Method) -> Bool {
        !method.isSafe && error.mayHaveArrived && error.code != .cancelled
    }

    /// Returns the error of a change for which no response arrived.
    private static func unsure(_ error: HTTPClientError) -> RemoteError {
        RemoteError(message: "\(error)", advice: "the change may have been made; check before you try again", exitCode: .unreachable)
    }

    /// Returns the response to the repeated request; nil if the connection ends again.
    private func sendRequest(again request: OutboundRequest, until deadline: Deadline) async throws -> InboundResponse? {
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

    /// The pause before asking again for the response to a change in progress.
    private static let pause = Duration.milliseconds(500)

    private static func randomKey() -> String {
        var numbers = SystemRandomNumberGenerator()
        return "\(String(numbers.next(), radix: 36))-\(String(numbers.next(), radix: 36))"
    }

    static var notVitrineServer: RemoteError {
        RemoteError(message: "the server is not a Vitrine server", advice: "check --server, --profile or VITRINE_SERVER", exitCode: .failed)
    }
}

extension String {
    /// The text with escapes for all bytes that would end a path or are invalid in a request. Existing escapes stay.
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
    /// Returns the requested storefront, or else the profile's, or else the first one whose default locale is English, which
    /// most users can read.
    func storefront(_ requested: String?) async throws -> String {
        if let requested = requested ?? profile?.storefront { return requested }
        let storefronts = try await storefronts()
        guard let first = storefronts.first(where: { $0.defaultLocale.text == "en" }) ?? storefronts.first else {
            throw RemoteError(
                message: "the server has no storefronts", advice: "import a catalog with 'vitrine item import'", exitCode: .notFound)
        }
        return first.key
    }

    /// Returns the requested locale, or else the profile's if its storefront is used.
    func locale(_ requested: String?, in storefront: String?) -> String? {
        if let requested { return requested }
        let isOfProfile = storefront == nil || storefront == profile?.storefront || profile?.storefront == nil
        return isOfProfile ? profile?.locale : nil
    }

    /// Returns the items of a storefront by their IDs. Unavailable items are omitted.
    func items(_ ids: [String], in storefront: String, _ locale: String?) async throws -> [String: ShownItem] {
        var items: [String: ShownItem] = [:]
        for start in stride(from: 0, to: ids.count, by: Self.maxItems) {
            let text = ids[start..<min(start + Self.maxItems, ids.count)].joined(separator: ",")
            let page = try await getPublic(
                "\(storefront.percentEncoded())/items", [(name: "ids", value: text), (name: "locale", value: locale)])
            for item in try RemotePage<ShownItem>(page, "items").elements { items[item.id] = item.content }
        }
        return items
    }

    private static let maxItems = 50
}
