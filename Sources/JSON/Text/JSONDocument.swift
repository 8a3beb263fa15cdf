/// A text that was parsed as JSON (RFC 8259, by default strictly), with the position of each value.
///
/// A valid text is UTF-8 without a byte order mark. It has no duplicate keys, no U+0000 and nothing after the value,
/// and every number is in the range of a double.
package final class JSONDocument: Sendable {
    let tape: JSONTape

    /// Parses a text in linear time. The error holds the first issue.
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

    /// Returns the value that a pointer names, or nil if it does not exist.
    package subscript(pointer: JSONPointer) -> JSONNode? {
        var node = root
        for token in pointer.tokens {
            guard let child = node.kind == .array ? node.element(named: token) : node[token] else { return nil }
            node = child
        }
        return node
    }
}

/// Reading of the tape by functions that borrow it. If they were inlined, each use of the tape would retain its arrays.
extension JSONDocument {
    /// Returns the entry of the value under a key, or nil if the key does not exist.
    @inline(never)
    func find(_ key: String, with cursor: inout JSONKeyCursor) -> Int? { cursor.find(key, in: tape)?.value }

    @inline(never)
    func keySketch(at first: Int, count: Int) -> UInt64 { tape.keySketch(at: first, count: count) }

    @inline(never)
    func holdsOnly(_ kind: JSONKind, at index: Int) -> Bool { tape.holdsOnly(kind, at: index) }

    /// Returns the end of a value in the source, or nil if it contains spaces, comments or escapes.
    @inline(never)
    func compactEnd(at index: Int) -> Int? { tape.compactValue(at: index)?.end }

    /// Appends a part of the source.
    @inline(never)
    func append(_ range: Range<Int>, to bytes: inout [UInt8]) { tape.append(range, to: &bytes) }
}

package enum JSONDialect: Sendable {
    /// RFC 8259 without extensions.
    case strict
    /// JSON as people write it in files. Comments from `//` to the end of a line and from `/*` to `*/` are allowed
    /// wherever a space is. A comma may follow the last element.
    case commented
}

/// The position and the reason of a parse failure, before line, column and pointer are computed.
struct JSONParseFailure: Error {
    let code: JSONIssue.Code
    let offset: Int
    let message: String
    var hint: String?
}
