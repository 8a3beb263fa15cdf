extension JSONNode {
    /// The one text that all documents of equal content share: no spaces, keys in the order of their UTF-8 bytes, minimal escapes, numbers
    /// at their shortest.
    ///
    /// Departs from RFC 8785 in two points: keys are ordered by bytes rather than UTF-16 units, and an integer that fits in 64 bits keeps
    /// all its digits rather than those of a double.
    package func canonical() -> [UInt8] {
        var writer = JSONWriter(capacity: Int(document.source.count))
        appendCanonical(to: &writer)
        return writer.bytes
    }

    /// Recursive, but no deeper than `JSONLimits.depth` lets a document nest.
    private func appendCanonical(to writer: inout JSONWriter) {
        switch kind {
        case .null: writer.null()
        case .bool: writer.bool(bool == true)
        case .number: appendCanonicalNumber(to: &writer)
        case .string: writer.string(text)
        case .array:
            writer.beginArray()
            for element in elements { element.appendCanonical(to: &writer) }
            writer.endArray()
        case .object:
            writer.beginObject()
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
    fileprivate func precedes(_ other: Self) -> Bool {
        let tape = value.document.tape
        return tape.withText(at: keyIndex) { key in tape.withText(at: other.keyIndex) { key.precedes($0) } }
    }
}
