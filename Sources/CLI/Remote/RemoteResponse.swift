internal import Arguments
internal import HTTP
internal import HTTPMessages
internal import JSON

struct RemoteResponse: Sendable {
    /// The document; nil if the response has no body.
    let document: JSONNode?
    /// The ETag of the state, for a conditional change.
    let tag: String?

    /// The ETag for a change that requires one. Throws if the response has none.
    var condition: String {
        get throws {
            guard let tag else {
                throw RemoteError(
                    message: "the response of the server has no ETag, which a change needs",
                    advice: "check for a proxy that removes it; no changes were made", exitCode: .failed)
            }
            return tag
        }
    }

    /// Returns the document as a type. Fields of newer servers are ignored.
    func value<Value: JSONDecodable>(of type: Value.Type = Value.self) throws -> Value {
        guard let document else { throw AdminClient.notVitrineServer }
        guard let value = document.decodeLeniently(type) else { throw RemoteError.unreadable }
        return value
    }
}

extension InboundResponse {
    /// The ETag; nil if it is invalid in a condition.
    var tag: String? {
        guard let tag = fields[.etag], !tag.isEmpty, tag.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
        return String(tag)
    }
}

/// A value of a response: the part that this program knows, and the whole document for output.
@dynamicMemberLookup
struct RemoteValue<Content: JSONDecodable & Sendable>: Sendable, JSONEncodable {
    let content: Content
    private let node: JSONNode

    /// Throws if this program cannot read the value.
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
    /// The cursor of the next page; nil if this is the last one.
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
    /// Returns a page of the list at a path.
    func page<Content>(_ path: String, _ name: String, _ query: Query = [], of type: Content.Type) async throws -> RemotePage<Content> {
        try RemotePage(try await get(path, query), name)
    }

    /// Returns the elements of all pages of the list at a path.
    func all<Content: JSONDecodable & Sendable>(
        _ path: String, _ name: String, _ query: Query = [], of type: Content.Type
    ) async throws -> [Content] {
        var elements: [Content] = []
        var cursor: String?
        repeat {
            let query = query + [(name: "limit", value: "200"), (name: "cursor", value: cursor)]
            let page = try await page(path, name, query, of: Content.self)
            elements += page.elements.map(\.content)
            cursor = page.next
        } while cursor != nil
        return elements
    }
}

extension RemoteError {
    static var unreadable: RemoteError {
        RemoteError(
            message: "cannot read the document of the server", advice: "use the version of vitrine that the server runs",
            exitCode: .invalid)
    }
}
