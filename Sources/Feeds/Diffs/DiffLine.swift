package import JSON

package struct DiffLine: Sendable, Equatable {
    package enum Mark: String, CaseIterable, Sendable, JSONDecodable {
        case added = "+"
        case removed = "-"
        case changed = "~"
        case moved = ">"
        /// A detail of the line above.
        case note = " "
    }

    package let mark: Mark
    /// The indentation of the line, which is 0 for a page or a feed.
    package let depth: Int
    package let text: String

    package init(_ mark: Mark, _ depth: Int, _ text: String) {
        self.mark = mark
        self.depth = depth
        self.text = text
    }
}

extension DiffLine: JSONObjectEncodable, JSONObjectDecodable {
    package func encodeMembers(to json: inout JSONWriter) {
        json.member("mark", mark.rawValue)
        json.member("depth", depth)
        json.member("text", text)
    }
    package init(_ object: inout JSONObjectReader) throws(JSONReadError) {
        let mark = object.value("mark", default: Mark.note)
        let depth = object.value("depth", default: 0, .in(0...100))
        let text = object.required("text", as: String.self)
        self.init(mark, depth, try text())
    }
}
