internal import Commands
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Telemetry

/// The admin API of one server, asked with a token.
struct RemoteServer {
    typealias Query = [(name: String, value: String?)]

    /// Which state a change is decided on.
    enum Condition {
        /// That of a tag which was read before.
        case state(String)
        /// That there is nothing yet.
        case absence
    }

    private static let patience = Duration.seconds(60)

    let client: HTTPClient
    let token: Secret

    /// What a path shows, with the values of its query where they are not nil. Throws whatever was refused.
    func get(_ path: String, _ query: Query = []) async throws -> JSONNode {
        guard let document = try await state(path, query).document else { throw Self.stranger }
        return document
    }

    /// What a path shows, with the tag that names it.
    func state(_ path: String, _ query: Query = []) async throws -> RemoteAnswer { try await send(.get, path, query) }

    /// Throws whatever was refused; a failure of 412 has the state that there is.
    func send(
        _ method: Method, _ path: String, _ query: Query = [], _ condition: Condition? = nil,
        fields more: [(name: FieldName, value: String)] = [], body: [UInt8] = []
    ) async throws -> RemoteAnswer {
        var fields: [(name: FieldName, value: String)] = [(.authorization, "Bearer \(token.exposed)")] + more
        switch condition {
        case .state(let tag): fields.append((.ifMatch, tag))
        case .absence: fields.append((.ifNoneMatch, "*"))
        case nil: break
        }
        if !body.isEmpty { fields.append((.contentType, "application/json")) }
        return try await exchange(method, "/admin/v1/\(path)", query, fields, body)
    }

    /// What everybody is shown at a path, without the token.
    func shown(_ path: String, _ query: Query = []) async throws -> RemoteAnswer { try await exchange(.get, "/v1/\(path)", query, [], []) }

    private func exchange(
        _ method: Method, _ path: String, _ query: Query, _ fields: [(name: FieldName, value: String)], _ body: [UInt8]
    ) async throws -> RemoteAnswer {
        let words = query.compactMap { item in item.value.map { "\(item.name)=\($0.escapedForQuery)" } }
        let target = "\(path)\(words.isEmpty ? "" : "?")\(words.joined(separator: "&"))"
        let fields = fields + [("accept", "application/json")]
        let request = OutboundRequest(method, target, fields: fields, body: body)
        let response = try await client.send(request, until: .after(Self.patience))
        guard 200..<300 ~= response.status.rawValue else { throw RemoteFailure(response) }
        let tag = response.fields[.etag].map { String($0) }
        guard !response.body.isEmpty else { return RemoteAnswer(document: nil, tag: tag) }
        do throws(JSONError) {
            return RemoteAnswer(document: try JSONDocument(parsing: response.body, limits: .ownOutput).root, tag: tag)
        } catch { throw Self.stranger }
    }

    private static var stranger: RemoteFailure {
        RemoteFailure(message: "what answers is no server of Vitrine", advice: "Look at --server.", exitCode: .failed)
    }
}

extension String {
    /// With every byte escaped that is neither a letter, nor a digit, nor one of `-._~`.
    fileprivate var escapedForQuery: String {
        utf8.reduce(into: "") { text, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: text.append(Character(Unicode.Scalar(byte)))
            default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
