internal import Arguments
internal import Feeds
internal import HTTPMessages
internal import Items
internal import JSON
internal import Values

extension AdminClient {
    func revision(_ number: Int, of feed: FeedKey) async throws -> LoadedRevision {
        try read(try await get("feeds/\(feed)/revisions/\(number)"))
    }

    func draft(of feed: FeedKey, on line: String) async throws -> LoadedRevision {
        try read(try await get("feeds/\(feed)/draft", [(name: "line", value: line)]))
    }

    /// Returns the live and scheduled publications, and those that have ended since a time.
    func publications(of feed: FeedKey, since: Timestamp? = nil) async throws -> [Publication] {
        try await all("feeds/\(feed)/publications", "publications", [(name: "since", value: since?.description)], of: Publication.self)
    }

    /// Returns the keys of all feeds that are not archived.
    func feedKeys() async throws -> [FeedKey] {
        try await page("feeds", "feeds", of: FeedSummary.self).elements.filter { $0.archivedAt == nil }.compactMap { FeedKey($0.key) }
    }

    /// Returns the storefronts in the order of the server.
    func storefronts() async throws -> [Storefront] {
        try RemotePage(try await getPublic("storefronts"), "storefronts").elements.map(\.content)
    }

    func feedState(of feed: FeedKey) async throws -> FeedState { try RemoteValue(try await get("feeds/\(feed)")).content }

    func page(of feed: FeedKey, _ query: AdminClient.Query, client: String? = nil) async throws -> JSONNode {
        let fields: [(name: FieldName, value: String)] = client.map { [(name: "vitrine-client" as FieldName, value: $0)] } ?? []
        let response = try await send(.get, "feeds/\(feed):preview", query, fields: fields)
        guard let document = response.document else {
            throw RemoteError(message: "the server returned no page", advice: "", exitCode: .failed)
        }
        return document
    }

    func findings(in document: FeedDocument) async throws -> [ReviewFinding] {
        let response = try await send(.post, "feeds/\(document.key):validate", body: document.canonical())
        guard let findings = response.document?["findings"]?.decodeLeniently([ReviewFinding].self) else { throw RemoteError.unreadable }
        return findings
    }

    private func read(_ response: JSONNode) throws -> LoadedRevision {
        guard let revision = LoadedRevision(response) else { throw RemoteError.unreadable }
        return revision
    }
}

extension Invocation {
    /// Returns the feed of the argument. Throws if it is invalid, before it becomes a part of a path.
    func feedKey() throws -> FeedKey { try feedKey(self[FeedOptions.feed]) }

    func feedKey(optional argument: Argument<String?>) throws -> FeedKey { try feedKey(self[argument] ?? "") }

    func lineKey(_ option: Option<String>) throws -> LineKey { try FeedOptions.key(self[option], of: "line", LineKey.init) }

    private func feedKey(_ text: String) throws -> FeedKey { try FeedOptions.key(text, of: "feed", FeedKey.init) }
}

struct LoadedRevision: Sendable {
    let revision: FeedRevision
    let document: FeedDocument

    /// Returns nil if this program cannot read the response.
    init?(_ response: JSONNode) {
        guard let revision = response.decodeLeniently(FeedRevision.self), let node = response["document"] else { return nil }
        self.revision = revision
        do throws(JSONError) { document = try FeedDocument(parsing: JSONValue(node).json(), limits: .feed) } catch { return nil }
    }

    var number: Int { revision.number }
}
