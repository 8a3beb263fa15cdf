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
