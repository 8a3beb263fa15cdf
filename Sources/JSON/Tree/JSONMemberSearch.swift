/// Finds the members of an object by their keys.
///
/// Each search starts after the last member found, so searching in the order of the text is fastest. A search allocates
/// nothing.
package struct JSONMemberSearch: Sendable {
    let document: JSONDocument
    private var cursor: JSONKeyCursor
    /// A bit for each key, by which most absent keys are known without a search.
    private let sketch: UInt64

    /// Searches in an object. A value of another kind has no members.
    package init(_ node: JSONNode) {
        document = node.document
        let count = node.kind == .object ? node.count : 0
        cursor = JSONKeyCursor(key: node.index + 1, count: count)
        sketch = document.keySketch(at: node.index + 1, count: count)
    }

    /// Returns the value under a key, or nil if it is absent or null.
    package mutating func value(_ key: String) -> JSONNode? {
        find(key).map { JSONNode(document: document, index: $0) }
    }

    /// Returns the entry of the value under a key, or nil if it is absent or null.
    mutating func find(_ key: String) -> Int? {
        guard sketch & key.utf8.span.sketchBit != 0, let found = document.find(key, with: &cursor) else { return nil }
        return document.tape.entries[found].tag == .null ? nil : found
    }
}

/// A position among the keys of an object.
struct JSONKeyCursor {
    private let first: Int
    private let count: Int
    private var ordinal = 0
    private var key: Int

    /// Creates a cursor at the entry of the first key of an object with that many members.
    init(key: Int, count: Int) {
        (first, self.key) = (key, key)
        self.count = count
    }

    /// Returns the entry of the value under a key and the ordinal of its member, or nil if the key does not exist.
    @inline(__always)
    mutating func find(_ name: String, in tape: JSONTape) -> (value: Int, ordinal: Int)? {
        let name = name.utf8.span
        let entries = tape.entries.span
        for _ in 0..<count {
            let isFound = Int(entries[key].length) == name.count && tape.withText(at: key) { $0.holdsSameBytes(as: name) }
            let (value, position) = (key + 1, ordinal)
            ordinal += 1
            key = entries[value].next(after: value)
            if ordinal == count { (ordinal, key) = (0, first) }
            if isFound { return (value, position) }
        }
        return nil
    }
}
