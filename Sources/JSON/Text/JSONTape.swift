/// A document's text with its values in reading order, so that walking it allocates nothing.
///
/// Offsets fit in 32 bits because `JSONLimits` allows no larger text.
struct JSONTape {
    var source: [UInt8]
    var entries: [JSONEntry] = []
    /// Strings and keys that were written with escapes, resolved and one after another.
    var unescaped: [UInt8] = []

    /// The entry after this value and all that it holds.
    func entry(after index: Int) -> Int {
        switch entries[index].tag {
        case .array, .object: Int(entries[index].link)
        default: index + 1
        }
    }

    /// Calls with the bytes of a string or a key, their escapes resolved.
    @inline(__always)
    func withText<Result>(at index: Int, _ body: (Span<UInt8>) -> Result) -> Result {
        let entry = entries[index]
        let length = Int(entry.length)
        switch entry.tag {
        case .escapedString, .escapedKey:
            let start = Int(entry.link)
            return body(unescaped.span.extracting(start..<start + length))
        default:
            let start = Int(entry.offset) + 1
            return body(source.span.extracting(start..<start + length))
        }
    }

    func text(at index: Int) -> String {
        let entry = entries[index]
        let length = Int(entry.length)
        switch entry.tag {
        case .escapedString, .escapedKey: return unescaped.span.extracting(Int(entry.link)..<Int(entry.link) + length).text()
        default: return source.span.extracting(Int(entry.offset) + 1..<Int(entry.offset) + 1 + length).text()
        }
    }

    /// Whether a string or a key holds just these bytes.
    @inline(__always)
    func hasText(_ text: String, at index: Int) -> Bool {
        guard Int(entries[index].length) == text.utf8.count else { return false }
        return withText(at: index) { $0.holdsSameBytes(as: text.utf8.span) }
    }

    /// Whether two strings or keys hold the same bytes.
    func sameText(_ a: Int, _ b: Int) -> Bool {
        guard entries[a].length == entries[b].length else { return false }
        return withText(at: a) { left in withText(at: b) { right in left.holdsSameBytes(as: right) } }
    }
}
