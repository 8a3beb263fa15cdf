internal import Feeds
internal import JSON

/// What of a draft is open in an editor.
enum EditableFragment: Equatable {
    case whole
    case section(String)

    /// Nil where the document has no such part.
    func value(in document: JSONValue) -> JSONValue? {
        switch self {
        case .whole: document
        case .section: place(in: document).map { document.sections[$0] }
        }
    }

    /// The document with another value in the part's place.
    func document(_ document: JSONValue, with value: JSONValue) -> JSONValue {
        guard case .section = self else { return value }
        guard let place = place(in: document), case .object(let members) = document else { return document }
        var sections = document.sections
        sections[place] = value
        return .object(members.map { $0.key == "sections" ? .init(key: $0.key, value: .array(sections)) : $0 })
    }

    /// Where a place of the document is in the part; nil where it is outside.
    func pointer(_ pointer: JSONPointer, in document: JSONValue) -> JSONPointer? {
        guard case .section = self else { return pointer }
        guard let place = place(in: document), pointer.tokens.starts(with: ["sections", "\(place)"]) else { return nil }
        return JSONPointer(tokens: Array(pointer.tokens.dropFirst(2)))
    }

    func fileName(of feed: String) -> String {
        switch self {
        case .whole: "\(feed).jsonc"
        case .section(let key): "\(feed)-\(key).jsonc"
        }
    }

    /// A value of this part as a person would write it; in place of a text that there is, with the comments that are in that.
    func text(of value: JSONValue, in place: String? = nil) throws(JSONError) -> String {
        switch self {
        case .whole:
            let document: FeedDocument
            do throws(JSONError) {
                document = try FeedDocument(parsing: value.json(), limits: .feed)
            } catch {
                // Two changes that are right each by itself may not be right together.
                return String(decoding: try value.json(.pretty), as: UTF8.self) + "\n"
            }
            return String(decoding: FeedFile(document: document).text(in: place.map { Array($0.utf8) }), as: UTF8.self)
        case .section: return String(decoding: try value.json(.pretty), as: UTF8.self) + "\n"
        }
    }

    private func place(in document: JSONValue) -> Int? {
        guard case .section(let key) = self else { return nil }
        return document.sections.firstIndex { $0["key"] == .string(key) }
    }
}

extension JSONValue {
    fileprivate var sections: [JSONValue] { self["sections"]?.list ?? [] }
}
