/// One value or key on the tape of a document; a container's descendants follow it directly.
struct JSONEntry {
    enum Tag: UInt8 {
        case null, `false`, `true`, integer, fraction, string, escapedString, key, escapedKey, array, object
    }

    let tag: Tag
    /// Where the text begins in the source; for strings and keys, at the opening quote.
    let offset: UInt32
    /// Strings and keys: bytes once unescaped. Numbers and words: bytes of text. Containers: children, a key and its value being one.
    var length: UInt32
    /// Containers: the entry after the last descendant. Escaped strings and keys: where they begin among the unescaped bytes.
    var link: UInt32

    init(_ tag: Tag, at offset: Int, length: Int = 0, link: Int = 0) {
        self.tag = tag
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.length = UInt32(truncatingIfNeeded: length)
        self.link = UInt32(truncatingIfNeeded: link)
    }
}
