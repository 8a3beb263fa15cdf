internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON

/// A section of a draft, or something in it, as a path names it.
struct DraftPart: Sendable {
    let feed: FeedKey
    let line: LineKey
    let section: SectionKey
    /// Where it is to stand, from 0; nil for where it stands, or behind all others.
    let position: Int?

    init(_ request: AdminRequest, takesPosition: Bool = false) throws(Problem) {
        var parameters = QueryParameters(request.context.head.target.query, known: takesPosition ? ["line", "position"] : ["line"])
        line = parameters.line() ?? .main
        position = parameters.integer("position", in: 0...FeedDocument.mostSections)
        try parameters.finish()
        feed = try request.feed()
        section = try request.context.parameters.value("section") { SectionKey($0) }
    }

    func read(_ transaction: AdminTransaction) async throws -> (draft: Draft, edit: DraftEdit) {
        let draft = try await transaction.knownDraft(of: feed, on: line)
        return (draft, try edit(draft))
    }

    func edit(_ draft: Draft?) throws -> DraftEdit {
        guard let draft else { throw Problem.unknownDraft(of: feed, on: line) }
        return try DraftEdit(draft.document)
    }

    /// Throws where there is none.
    func section(_ edit: DraftEdit) throws(Problem) -> JSONValue {
        guard let section = edit.section(section) else { throw Problem.unknown(section, of: feed) }
        return section
    }

    func body(_ transaction: AdminTransaction) throws(Problem) -> JSONValue {
        do throws(JSONError) {
            return JSONValue(try JSONDocument(parsing: transaction.context.request.body, limits: .feed).root)
        } catch {
            throw Problem(error)
        }
    }

    /// With the tag of the whole draft.
    static func answer(_ value: JSONValue, of draft: Draft) throws -> Response {
        AdminResponse(.ok, try value.json(), tag: EntityTag(draft.revision.hash)).response
    }
}
