internal import Arguments
internal import Feeds
internal import HTTPMessages
internal import JSON
internal import Values

/// What commands that look at feeds ask for.
extension AdminClient {
    func revision(_ number: Int, of feed: FeedKey) async throws -> LoadedRevision {
        try read(try await get("feeds/\(feed)/revisions/\(number)"))
    }

    /// The newest of a line.
    func draft(of feed: FeedKey, on line: String) async throws -> LoadedRevision {
        try read(try await get("feeds/\(feed)/draft", [(name: "line", value: line)]))
    }

    /// What is shown and to come, with the tag that a publication names; with what is over since a moment, without one.
    func schedule(of feed: FeedKey, since: Timestamp? = nil) async throws -> (schedule: Schedule, tag: String) {
        let answer = try await state("feeds/\(feed)/publications", [(name: "since", value: since?.description)])
        let publications = answer.document?["publications"]?.elements.compactMap { $0.decodeLeniently(Publication.self) } ?? []
        return (Schedule(publications), since == nil ? try answer.condition : "")
    }

    /// The keys of all feeds that are not archived.
    func feedKeys() async throws -> [FeedKey] {
        try await get("feeds")["feeds"]?.elements.filter { $0["archivedAt"] == nil }.compactMap { feed in
            feed["feed"]?.string.flatMap { FeedKey($0) }
        } ?? []
    }

    /// The storefronts with their default locales, by their keys.
    func storefronts() async throws -> [(key: String, locale: String)] {
        try await shown("storefronts")["storefronts"]?.elements.map { storefront in
            (storefront["key"]?.string ?? "", storefront["defaultLocale"]?.string ?? "")
        } ?? []
    }

    /// The page that clients would get, as bytes.
    func page(of feed: FeedKey, _ query: AdminClient.Query, client: String? = nil) async throws -> JSONNode {
        let fields: [(name: FieldName, value: String)] = client.map { [(name: "vitrine-client" as FieldName, value: $0)] } ?? []
        let answer = try await send(.get, "feeds/\(feed):preview", query, fields: fields)
        guard let document = answer.document else {
            throw RemoteError(message: "the server shows no page", advice: "", exitCode: .failed)
        }
        return document
    }

    /// What a review finds in a document now.
    func findings(in document: FeedDocument) async throws -> [ReviewFinding] {
        let answer = try await send(.post, "feeds/\(document.key):validate", body: document.canonical())
        return answer.document?["findings"]?.decodeLeniently([ReviewFinding].self) ?? []
    }

    private func read(_ answer: JSONNode) throws -> LoadedRevision {
        guard let revision = LoadedRevision(answer) else {
            throw RemoteError(
                message: "the server has a document that this program cannot read",
                advice: "Take the program that the server was built with.",
                exitCode: .invalid)
        }
        return revision
    }
}

extension Invocation {
    /// The feed that an operand names, before it becomes a part of a path.
    func feedKey() throws -> FeedKey { try feedKey(self[FeedOptions.feed]) }

    func feedKey(optional operand: Argument<String?>) throws -> FeedKey { try feedKey(self[operand] ?? "") }

    func lineKey(_ option: Option<String>) throws -> LineKey { try FeedOptions.key(self[option], of: "line", LineKey.init) }

    private func feedKey(_ text: String) throws -> FeedKey { try FeedOptions.key(text, of: "feed", FeedKey.init) }
}
