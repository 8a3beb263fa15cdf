internal import Feeds
internal import JSON

enum EditableFragment: Equatable {
    case whole
    case section(String)

    /// Returns the value of the fragment; nil if the document does not have it.
    func value(in document: JSONValue) -> JSONValue? {
        switch self {
        case .whole: document
        case .section: index(in: document).map { document.sections[$0] }
        }
    }

    /// Returns the document with another value for the fragment.
    func document(_ document: JSONValue, with value: JSONValue) -> JSONValue {
        guard case .section = self else { return value }
        guard let index = index(in: document), case .object(let members) = document else { return document }
        var sections = document.sections
        sections[index] = value
        return .object(members.map { $0.key == "sections" ? .init(key: $0.key, value: .array(sections)) : $0 })
    }

    /// Returns the pointer relative to the fragment; nil if it is outside.
    func pointer(_ pointer: JSONPointer, in document: JSONValue) -> JSONPointer? {
        guard case .section = self else { return pointer }
        guard let index = index(in: document), pointer.tokens.starts(with: ["sections", "\(index)"]) else { return nil }
        return JSONPointer(tokens: Array(pointer.tokens.dropFirst(2)))
    }

    func fileName(of feed: String) -> String {
        switch self {
        case .whole: "\(feed).jsonc"
        case .section(let key): "\(feed)-\(key).jsonc"
        }
    }

    /// Returns a value of the fragment in readable form. If `existing` is an existing text, its comments are kept.
    func text(of value: JSONValue, in existing: String? = nil) throws(JSONError) -> String {
        switch self {
        case .whole:
            let document: FeedDocument
            do throws(JSONError) {
                document = try FeedDocument(parsing: value.json(), limits: .feed)
            } catch {
                // Two changes that are each valid may be invalid together.
                return String(decoding: try value.json(.pretty), as: UTF8.self) + "\n"
            }
            return String(decoding: FeedFile(document: document).text(in: existing.map { Array($0.utf8) }), as: UTF8.self)
        case .section: return String(decoding: try value.json(.pretty), as: UTF8.self) + "\n"
        }
    }

    private func index(in document: JSONValue) -> Int? {
        guard case .section(let key) = self else { return nil }
        return document.sections.firstIndex { $0["key"] == .string(key) }
    }
}

extension JSONValue {
    fileprivate var sections: [JSONValue] { self["sections"]?.list ?? [] }
}

extension EditableFragment {
    struct InvalidFragment: Error {
        let comments: [EditorComment]
    }

    func read(_ text: String, over base: JSONValue) -> Result<JSONValue, InvalidFragment> {
        do throws(JSONError) {
            let value = JSONValue(try JSONDocument(parsing: text, limits: .feed, notation: .commented).root)
            let document = self.document(base, with: value)
            guard self.value(in: document) == value else {
                return .failure(
                    InvalidFragment(comments: [
                        EditorComment(line: 1, text: "The key of a section cannot change. Add another section with `vitrine section add`.")
                    ])
                )
            }
            do throws(JSONError) {
                _ = try FeedDocument(parsing: document.json(), limits: .feed)
            } catch {
                let issues = error.issues.map { (pointer: $0.pointer, message: $0.message + ($0.hint.map { "; \($0)" } ?? "")) }
                return .failure(InvalidFragment(comments: comments(issues, in: text, of: document)))
            }
            return .success(document)
        } catch {
            return .failure(InvalidFragment(comments: error.issues.map { EditorComment(line: $0.position.line, text: $0.message) }))
        }
    }

    /// Returns comments for the lines above the issues of a document.
    func comments(_ issues: [(pointer: JSONPointer, message: String)], in text: String, of document: JSONValue) -> [EditorComment] {
        var root: JSONNode?
        do throws(JSONError) { root = try JSONDocument(parsing: text, limits: .feed, notation: .commented).root } catch {}
        return issues.map { issue in
            let pointer = self.pointer(issue.pointer, in: document)
            let line = pointer.flatMap { root?.nearest(to: $0).position.line }
            return EditorComment(line: line ?? 1, text: "\(pointer ?? issue.pointer): \(issue.message)")
        }
    }
}
