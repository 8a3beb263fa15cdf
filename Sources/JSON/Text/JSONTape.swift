/// A document's text with its values in reading order, so that walking it allocates nothing.
///
/// Offsets fit in 32 bits because `JSONLimits` allows no larger text.
struct JSONTape {
    var source: [UInt8]
    var entries: [JSONEntry] = []
    /// The resolved strings and keys that were written with escapes, one after another.
    var unescaped: [UInt8] = []

    /// Returns the entry after this value and its descendants.
    func entry(after index: Int) -> Int { entries[index].next(after: index) }

    /// Calls the body with the bytes of a string or a key, with resolved escapes.
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

    func append(_ range: Range<Int>, to bytes: inout [UInt8]) { bytes.append(copying: source.span.extracting(range)) }

    /// Whether a string or a key has exactly these bytes.
    @inline(__always)
    func hasText(_ text: String, at index: Int) -> Bool {
        guard Int(entries[index].length) == text.utf8.count else { return false }
        return withText(at: index) { $0.holdsSameBytes(as: text.utf8.span) }
    }

    /// Whether two strings or keys have the same bytes.
    func sameText(_ a: Int, _ b: Int) -> Bool {
        guard entries[a].length == entries[b].length else { return false }
        return withText(at: a) { left in withText(at: b) { right in left.holdsSameBytes(as: right) } }
    }
}

extension JSONTape {
    /// Whether each child of the container at an entry is of a kind. False for a value that is not a container.
    func holdsOnly(_ kind: JSONKind, at index: Int) -> Bool {
        let container = entries[index]
        guard container.tag == .array || container.tag == .object else { return false }
        let step = container.tag == .object ? 1 : 0
        var next = index + 1
        for _ in 0..<container.length {
            guard entries[next + step].tag.kind == kind else { return false }
            next = entry(after: next + step)
        }
        return true
    }

    /// Returns the bits of the keys of an object, the first of which is at an entry.
    func keySketch(at first: Int, count: Int) -> UInt64 {
        var sketch: UInt64 = 0
        var key = first
        for _ in 0..<count {
            sketch |= sketchBit(ofKeyAt: key)
            key = entry(after: key + 1)
        }
        return sketch
    }

    /// Returns the end of a value in the source and the entry after it. Returns nil if the value contains spaces, comments or
    /// escapes.
    func compactValue(at index: Int) -> (end: Int, next: Int)? {
        let entry = entries[index]
        guard entry.tag == .array || entry.tag == .object else { return entry.isEscaped ? nil : (entry.range.upperBound, index + 1) }
        let isObject = entry.tag == .object
        var (end, next) = (Int(entry.offset) + 1, index + 1)
        for child in 0..<entry.length {
            // Only a comma is before it.
            if child > 0 { end += 1 }
            guard Int(entries[next].offset) == end else { return nil }
            if isObject {
                guard compactKey(at: next) != nil else { return nil }
                next += 1
            }
            guard let value = compactValue(at: next) else { return nil }
            (end, next) = value
        }
        return source[end] == UInt8(ascii: isObject ? "}" : "]") ? (end + 1, next) : nil
    }

    /// Returns the start of a key in the source. Returns nil if it has escapes, or if more than a colon is before its value.
    func compactKey(at index: Int) -> Int? {
        let key = entries[index]
        guard key.tag == .key, key.range.upperBound + 1 == Int(entries[index + 1].offset) else { return nil }
        return Int(key.offset)
    }

    /// Returns the second of two equal keys in an object whose members are complete, or nil. Compares decoded bytes.
    ///
    /// Takes linear time on average for any keys: the table of a large object is keyed by a hash that clients cannot
    /// predict.
    func duplicateKey(inObjectAt object: Int) -> Int? {
        guard entries[object].tag == .object else { return nil }
        let count = Int(entries[object].length)
        return count <= 24 ? duplicateAmongFew(object, count) : duplicateAmongMany(object, count)
    }

    /// Compares a key with the previous ones only if a 64-bit sketch has its bit set.
    private func duplicateAmongFew(_ object: Int, _ count: Int) -> Int? {
        var sketch: UInt64 = 0
        var key = object + 1
        for _ in 0..<count {
            let bit = sketchBit(ofKeyAt: key)
            if sketch & bit != 0 {
                var previous = object + 1
                while previous < key {
                    if sameText(previous, key) { return key }
                    previous = entry(after: previous + 1)
                }
            }
            sketch |= bit
            key = entry(after: key + 1)
        }
        return nil
    }

    /// Returns the bit of a key in a sketch: equal keys have the same bit.
    func sketchBit(ofKeyAt index: Int) -> UInt64 { withText(at: index) { $0.sketchBit } }

    /// Uses open addressing in a table that is at most half full. Zero marks an empty entry.
    private func duplicateAmongMany(_ object: Int, _ count: Int) -> Int? {
        var capacity = 64
        while capacity < count * 2 { capacity *= 2 }
        var table = [UInt32](repeating: 0, count: capacity)
        var key = object + 1
        for _ in 0..<count {
            var position = withText(at: key) { $0.seededHash() } & (capacity - 1)
            while table[position] != 0 {
                if sameText(Int(table[position]), key) { return key }
                position = (position + 1) & (capacity - 1)
            }
            table[position] = UInt32(truncatingIfNeeded: key)
            key = entry(after: key + 1)
        }
        return nil
    }
}

/// One value or key on the tape of a document. The descendants of a container follow it directly.
struct JSONEntry {
    enum Tag: UInt8 {
        case null, `false`, `true`, integer, fraction, string, escapedString, key, escapedKey, array, object
    }

    let tag: Tag
    /// The offset of the text in the source. Strings and keys start at the opening quote.
    let offset: UInt32
    /// For strings and keys, the number of bytes after unescaping. For numbers and literals, the number of bytes of
    /// text. For containers, the number of children; a key and its value count as one.
    var length: UInt32
    /// For containers, the entry after the last descendant. For escaped strings and keys, their offset in the unescaped
    /// bytes.
    var link: UInt32

    /// Whether the text of a string or a key has escapes, so that it is among the unescaped bytes.
    var isEscaped: Bool { tag == .escapedString || tag == .escapedKey }

    /// The range of a value without children or of a key in the source, with its quotes. It must not have escapes.
    var range: Range<Int> {
        let start = Int(offset)
        return start..<start + Int(length) + (tag == .string || tag == .key ? 2 : 0)
    }

    /// Returns the entry after this value and its descendants, if the value is at an index.
    @inline(__always)
    func next(after index: Int) -> Int {
        switch tag {
        case .array, .object: Int(link)
        default: index + 1
        }
    }

    init(_ tag: Tag, at offset: Int, length: Int = 0, link: Int = 0) {
        self.tag = tag
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.length = UInt32(truncatingIfNeeded: length)
        self.link = UInt32(truncatingIfNeeded: link)
    }
}
