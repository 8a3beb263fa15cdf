internal import Feeds
internal import JSON

/// What a server answers of the document of a feed: a revision of it, or what a review finds in one that is not saved.
struct RemoteDraft: JSONDecodable, Sendable {
    let revision: Int?
    /// Also with what this program does not know.
    let document: JSONValue?
    let findings: [ReviewFinding]

    init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        revision = object.optional("revision")
        document = object.optional("document")
        findings = object.lossyArray("findings")
        try object.finish()
    }
}

extension AdminClient {
    /// The newest draft of a line, to be looked at or edited.
    func feedDraft(of feed: String, on line: String) async throws -> FeedDraft {
        let draft: RemoteDraft = try await state("feeds/\(feed)/draft", [(name: "line", value: line)]).value()
        return FeedDraft(draft.document ?? .null, line: line)
    }
}
