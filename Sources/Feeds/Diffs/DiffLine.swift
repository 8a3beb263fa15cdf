package import JSON

/// A line of a difference as a person reads it.
package struct DiffLine: Sendable, Equatable {
    package enum Mark: String, Sendable {
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

extension DiffLine: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            json.member("mark", mark.rawValue)
            json.member("depth", depth)
            json.member("text", text)
        }
    }
}
