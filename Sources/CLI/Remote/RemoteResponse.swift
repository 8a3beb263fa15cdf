internal import Arguments
internal import HTTP
internal import HTTPMessages
internal import JSON

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
        guard let document else { throw AdminClient.stranger }
        guard let value = document.decodeLeniently(type) else { throw RemoteError.unreadable }
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

/// A value of an answer: what this program knows of it, and all of it for programs.
@dynamicMemberLookup
struct RemoteValue<Content: JSONDecodable & Sendable>: Sendable, JSONEncodable {
    let content: Content
    private let node: JSONNode

    /// Throws where this program cannot read it.
    init(_ node: JSONNode) throws {
        guard let content = node.decodeLeniently(Content.self) else { throw RemoteError.unreadable }
        self.content = content
        self.node = node
    }

    subscript<Member>(dynamicMember path: KeyPath<Content, Member>) -> Member { content[keyPath: path] }

    func encode(to json: inout JSONWriter) { JSONValue(node).encode(to: &json) }
}

struct RemotePage<Content: JSONDecodable & Sendable>: Sendable {
    let elements: [RemoteValue<Content>]
    /// The cursor of the next page. Nil for the last page.
    let next: String?

    init(_ document: JSONNode, _ name: String) throws {
        elements = try document[name]?.elements.map { try RemoteValue($0) } ?? []
        next = try document["next"]?.string.flatMap { try Self.cursor(of: $0) }
    }

    private static func cursor(of path: String) throws -> String? {
        let bytes = Array(path.utf8)
        do throws(RequestError) { return try RequestTarget(parsing: bytes.span).query["cursor"] } catch { throw RemoteError.unreadable }
    }
}

extension AdminClient {
    /// What is in a list that a path shows, at most a page of it.
    func page<Content>(_ path: String, _ name: String, _ query: Query = [], of type: Content.Type) async throws -> RemotePage<Content> {
        try RemotePage(try await get(path, query), name)
    }
}

extension RemoteError {
    static var unreadable: RemoteError {
        RemoteError(
            message: "the server has a document that this program cannot read", advice: "Take the program that the server was built with.",
            exitCode: .invalid)
    }
}
