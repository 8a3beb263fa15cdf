internal import Commands
internal import EventLoop
internal import HTTP
internal import HTTPMessages
internal import JSON
internal import Telemetry

/// The admin API of one server, asked with a token.
struct RemoteServer {
    private static let patience = Duration.seconds(60)

    let client: HTTPClient
    let token: Secret

    /// What a path shows, with the values of its query where they are not nil. Throws whatever is no 200.
    func get(_ path: String, _ query: [(name: String, value: String?)] = []) async throws -> JSONNode {
        let words = query.compactMap { item in item.value.map { "\(item.name)=\($0.escapedForQuery)" } }
        let target = "/admin/v1/\(path)\(words.isEmpty ? "" : "?")\(words.joined(separator: "&"))"
        let fields: [(name: FieldName, value: String)] = [
            (.authorization, "Bearer \(token.exposed)"), ("accept", "application/json"),
        ]
        let response = try await client.send(OutboundRequest(target, fields: fields), until: .after(Self.patience))
        guard response.status == .ok else { throw RemoteFailure(response) }
        do throws(JSONError) {
            return try JSONDocument(parsing: response.body, limits: .ownOutput).root
        } catch {
            throw RemoteFailure(message: "what answers is no server of Vitrine", advice: "Look at --server.", exitCode: .failed)
        }
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
