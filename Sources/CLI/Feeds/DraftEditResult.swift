internal import Feeds
internal import JSON

/// What became of a draft, for programs: the document that was saved, with what it says otherwise than the one before and what a review finds.
struct DraftEditResult: Sendable, JSONEncodable {
    let feed: String
    let line: String
    /// What was there before; nil for nothing.
    let former: (revision: Int?, document: JSONValue)?
    /// The one that says so; nil where it was not saved.
    let revision: Int?
    let document: JSONValue
    let findings: [ReviewFinding]

    /// `answer` is that of a server which saved or reviewed the document; nil where nothing was to be done.
    init(
        of feed: String, _ line: String, from former: (revision: Int?, document: JSONValue)?, to document: JSONValue, revision: Int?,
        _ answer: RemoteDraft?
    ) {
        (self.feed, self.line, self.former, self.revision) = (feed, line, former, revision)
        self.document = answer?.document ?? document
        findings = answer?.findings ?? []
    }

    /// Nil where one of them is what only another program can read.
    private var difference: FeedDiff? {
        guard let before = former?.document else { return nil }
        func read(_ value: JSONValue) throws(JSONError) -> FeedDocument { try FeedDocument(parsing: value.json(), limits: .feed) }
        do throws(JSONError) { return FeedDiff(from: try read(before), to: try read(document)) } catch { return nil }
    }

    func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("feed", feed)
            json.member("line", line)
            json.member("former", former?.revision)
            json.member("revision", revision)
            json.member("difference", difference)
            json.member("findings", findings)
            json.member("document", document)
        }
    }
}
