/// A text that has been read as JSON (RFC 8259), strictly unless told otherwise, with the place of each value.
///
/// UTF-8 without a byte order mark, no duplicate keys, no U+0000, nothing after the value, every number within a double's range.
package final class JSONDocument: Sendable {
    let tape: JSONTape

    /// Reads a text; the error holds the first mistake. Takes time linear in the text.
    package init(
        parsing source: [UInt8], limits: JSONLimits = JSONLimits(), notation: JSONDialect = .strict
    ) throws(JSONError) {
        var parser = JSONParser(source, limits: limits, notation: notation)
        do throws(JSONParseFailure) {
            try parser.parse()
        } catch {
            let position = JSONPosition(offset: error.offset, in: source)
            throw JSONError([
                JSONIssue(code: error.code, pointer: parser.pointer, position: position, message: error.message, hint: error.hint)
            ])
        }
        tape = parser.tape
    }

    package convenience init(
        parsing text: String, limits: JSONLimits = JSONLimits(), notation: JSONDialect = .strict
    ) throws(JSONError) {
        try self.init(parsing: Array(text.utf8), limits: limits, notation: notation)
    }

    package var source: [UInt8] { tape.source }

    package var root: JSONNode { JSONNode(document: self, index: 0) }

    /// The value that a pointer names, or nil where there is none.
    package subscript(pointer: JSONPointer) -> JSONNode? {
        var node = root
        for token in pointer.tokens {
            guard let child = node.kind == .array ? node.element(named: token) : node[token] else { return nil }
            node = child
        }
        return node
    }
}

package enum JSONDialect: Sendable {
    /// RFC 8259 and nothing beside it.
    case strict
    /// As people keep it in files: with comments from `//` to the end of a line and from `/*` to `*/`, wherever a space may be, and with a comma
    /// behind the last element if they like.
    case commented
}

/// Where and why parsing stopped, before line, column and pointer are worked out.
struct JSONParseFailure: Error {
    let code: JSONIssue.Code
    let offset: Int
    let message: String
    var hint: String?
}
