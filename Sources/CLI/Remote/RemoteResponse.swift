internal import Arguments
internal import HTTP
internal import HTTPMessages
internal import JSON

/// What a server answers to a request that it took.
struct RemoteResponse: Sendable {
    /// Nil where there is nothing to say.
    let document: JSONNode?
    /// Names the state that is told, for the change that is decided on it.
    let tag: String?

    /// As `tag`, for a change that has to have one. Throws where the server names no state.
    var condition: String {
        get throws {
            guard let tag else {
                throw RemoteError(
                    message: "the server does not name the state that it tells of",
                    advice: "Something on the way may take its ETag away. Nothing was changed.", exitCode: .failed)
            }
            return tag
        }
    }

    /// What is told, as a type reads it; what a newer server says beside that is left out.
    func value<Value: JSONDecodable>(of type: Value.Type = Value.self) throws -> Value {
        guard let value = document?.decodeLeniently(type) else { throw AdminClient.stranger }
        return value
    }
}

extension InboundResponse {
    /// Nil where it is none that a condition can name.
    var tag: String? {
        guard let tag = fields[.etag], !tag.isEmpty, tag.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        return String(tag)
    }
}
