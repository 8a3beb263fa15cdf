extension JSONNode {
    /// Returns the one text that all documents of equal content share. It has no spaces, keys in the order of their
    /// UTF-8 bytes, minimal escapes and shortest numbers.
    ///
    /// The text differs from RFC 8785 in two points. Keys are ordered by bytes instead of UTF-16 units, and a 64-bit
    /// integer keeps all its digits instead of those of a double.
    package func canonical() -> [UInt8] {
        var writer = JSONWriter(capacity: Int(document.source.count))
        appendCanonical(to: &writer)
        return writer.bytes
    }

    /// Appends a value and its descendants. The recursion is at most `JSONLimits.depth` deep.
    private func appendCanonical(to writer: inout JSONWriter) {
        switch kind {
        case .null: writer.null()
        case .bool: writer.bool(bool == true)
        case .number: appendCanonicalNumber(to: &writer)
        case .string: writer.string(text)
        case .array:
            writer.startArray()
            for element in elements { element.appendCanonical(to: &writer) }
            writer.endArray()
        case .object:
            writer.startObject()
            for member in members.sorted(by: { $0.precedes($1) }) {
                writer.key(member.key)
                member.value.appendCanonical(to: &writer)
            }
            writer.endObject()
        }
    }

    private func appendCanonicalNumber(to writer: inout JSONWriter) {
        if let integer {
            writer.integer(integer)
        } else if let double {
            writer.number(double)
        }
    }
}

extension JSONMembers.Member {
    /// Whether the bytes of the key sort before those of another one.
    package func precedes(_ other: Self) -> Bool {
        let tape = value.document.tape
        return tape.withText(at: keyIndex) { key in tape.withText(at: other.keyIndex) { key.precedes($0) } }
    }
}
