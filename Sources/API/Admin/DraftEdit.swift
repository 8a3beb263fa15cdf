internal import Feeds
internal import JSON

/// A draft with one of its parts exchanged, read anew as a whole: what a part may be depends on the others.
struct DraftEdit {
    private var root: [JSONValue.Member]
    private var sections: [JSONValue]

    /// `document` is one that was saved.
    init(_ document: [UInt8]) throws(JSONError) {
        guard case .object(let members) = JSONValue(try JSONDocument(parsing: document, limits: .feed).root) else {
            preconditionFailure("a document that was saved is an object")
        }
        root = members
        sections =
            members.lazy.compactMap { member in
                if member.key == "sections", case .array(let list) = member.value { list } else { nil }
            }.first ?? []
    }

    /// The section with a key; nil where there is none.
    func section(_ key: SectionKey) -> JSONValue? { place(of: key).map { sections[$0] } }

    /// Puts a section in the place of the one with its key, or at a place, or behind all others.
    mutating func put(_ section: JSONValue, as key: SectionKey, at place: Int? = nil) {
        let before = self.place(of: key)
        if let before { sections.remove(at: before) }
        sections.insert(section, at: min(place ?? before ?? sections.count, sections.count))
    }

    mutating func remove(_ key: SectionKey) { sections.removeAll { $0["key"] == .string(key.text) } }

    /// The whole, as strictly read as one that is sent.
    func document() throws(Problem) -> FeedDocument {
        var value = JSONValue.object(root)
        value["sections"] = .array(sections)
        do throws(JSONError) { return try FeedDocument(parsing: value.json(), limits: .feed) } catch { throw Problem(error) }
    }

    private func place(of key: SectionKey) -> Int? { sections.firstIndex { $0["key"] == .string(key.text) } }
}
