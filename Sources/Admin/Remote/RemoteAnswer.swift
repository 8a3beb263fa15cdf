internal import HTTP
internal import HTTPMessages
internal import JSON

/// What a server answers to a request that it took.
struct RemoteAnswer: Sendable {
    /// Nil where there is nothing to say.
    let document: JSONNode?
    /// Names the state that is told, for the change that is decided on it.
    let tag: String?
}

extension InboundResponse {
    /// Nil where it is none that a condition can name.
    var tag: String? {
        guard let tag = fields[.etag], !tag.isEmpty, tag.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        return String(tag)
    }
}
