internal import Arguments
internal import JSON

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

/// A page of a list.
struct RemotePage<Content: JSONDecodable & Sendable>: Sendable {
    let elements: [RemoteValue<Content>]
    /// Where the next page begins; nil for the last one.
    let next: String?

    init(_ document: JSONNode, _ name: String) throws {
        elements = try document[name]?.elements.map { try RemoteValue($0) } ?? []
        next = document["next"]?.string
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
