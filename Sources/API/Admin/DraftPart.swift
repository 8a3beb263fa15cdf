internal import Feeds
internal import HTTP
internal import HTTPMessages
internal import JSON

/// The path of a section of a draft, or of a part of it.
struct DraftPart: Sendable {
    let feed: FeedKey
    let line: LineKey
    let section: SectionKey
    /// The zero-based position to which the section moves; nil to keep its position, or to append a new section.
    let position: Int?

    init(_ request: AdminRequest, takesPosition: Bool = false) throws(Problem) {
        var parameters = QueryParameters(request.context.head.target.query, known: takesPosition ? ["line", "position"] : ["line"])
        line = parameters.line() ?? .main
        position = parameters.integer("position", in: 0...FeedDocument.maxSections)
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

    /// Returns a response with a part of a draft and the tag of the whole draft.
    static func response(_ value: JSONValue, of draft: Draft) throws -> Response {
        AdminResponse(.ok, try value.json(), tag: EntityTag(draft.revision.hash)).response
    }
}

/// A draft with one of its parts replaced. The whole draft is parsed again, because the parts depend on each other.
struct DraftEdit {
    private var root: [JSONValue.Member]
    private var sections: [JSONValue]

    /// Opens a document. `document` must be a saved document.
    init(_ document: [UInt8]) throws(JSONError) {
        guard case .object(let members) = JSONValue(try JSONDocument(parsing: document, limits: .feed).root) else {
            preconditionFailure("a saved document is an object")
        }
        root = members
        sections =
            members.lazy.compactMap { member in
                if member.key == "sections", case .array(let list) = member.value { list } else { nil }
            }.first ?? []
    }

    /// Returns the section with a key; nil if the draft has no such section.
    func section(_ key: SectionKey) -> JSONValue? { index(of: key).map { sections[$0] } }

    /// Replaces the section with the same key. A new section is inserted at the position, or appended if the position
    /// is nil.
    mutating func save(_ section: JSONValue, as key: SectionKey, at index: Int? = nil) {
        let before = self.index(of: key)
        if let before { sections.remove(at: before) }
        sections.insert(section, at: min(index ?? before ?? sections.count, sections.count))
    }

    mutating func remove(_ key: SectionKey) { sections.removeAll { $0["key"] == .string(key.text) } }

    /// Returns the whole document, checked as strictly as one that a client sends.
    func document() throws(Problem) -> FeedDocument {
        var value = JSONValue.object(root)
        value["sections"] = .array(sections)
        do throws(JSONError) { return try FeedDocument(parsing: value.json(), limits: .feed) } catch { throw Problem(error) }
    }

    private func index(of key: SectionKey) -> Int? { sections.firstIndex { $0["key"] == .string(key.text) } }
}

struct Draft: JSONObjectEncodable {
    let feed: FeedKey
    let revision: FeedRevision
    let document: [UInt8]
    /// The findings of the review; nil if the draft was not reviewed.
    var findings: [ReviewFinding]?

    func encodeMembers(to json: inout JSONWriter) {
        json.member("feed", feed)
        revision.encodeMembers(to: &json)
        json.member("findings", findings)
        json.member("document", rendered: document)
    }

    /// The draft with a tag that stays the same until another document is saved on the line.
    var state: TaggedResource {
        get throws(JSONError) { try TaggedResource(tag: revision.hash, self) }
    }
}
