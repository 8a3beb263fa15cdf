package import JSON

package struct DiffLine: Sendable, Equatable {
    package enum Mark: String, CaseIterable, Sendable, JSONDecodable {
        case added = "+"
        case removed = "-"
        case changed = "~"
        case moved = ">"
        /// Says more about the line above.
        case note = " "
    }

    package let mark: Mark
    /// What it is about, 0 for a page or a feed.
    package let depth: Int
    package let text: String

    package init(_ mark: Mark, _ depth: Int, _ text: String) {
        self.mark = mark
        self.depth = depth
        self.text = text
    }
}

extension DiffLine: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("mark", mark.rawValue)
            json.member("depth", depth)
            json.member("text", text)
        }
    }
    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let mark = object.value("mark", default: Mark.note)
        let depth = object.value("depth", default: 0, .in(0...100))
        let text = object.required("text", as: String.self)
        try object.finish()
        self.init(mark, depth, try text())
    }
}
