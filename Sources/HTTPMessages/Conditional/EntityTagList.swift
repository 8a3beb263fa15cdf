/// The result of matching a tag with If-Match or If-None-Match, over all fields of that name.
package enum EntityTagList: Sendable, Hashable {
    case absent
    /// The list is empty, has an element that is not a tag, or combines `*` with other elements.
    case malformed
    /// The list is `*` and matches any state.
    case any
    case contains
    case lacks

    /// Matches a tag with a field. A nil tag is in no list.
    package init(_ name: FieldName, of fields: borrowing HTTPFields, asks tag: borrowing EntityTag?, _ comparison: EntityTag.Comparison) {
        guard fields.contains(name) else {
            self = .absent
            return
        }
        var reader = Reader(tag: copy tag, comparison: comparison)
        fields.forEach(name) { line in reader.read(line) }
        self =
            if reader.isMalformed || reader.count == 0 || reader.hasAsterisk && reader.count > 1 {
                .malformed
            } else if reader.hasAsterisk {
                .any
            } else {
                reader.isFound ? .contains : .lacks
            }
    }

    private struct Reader {
        let tag: EntityTag?
        let comparison: EntityTag.Comparison
        var count = 0
        var hasAsterisk = false
        var isFound = false
        var isMalformed = false

        /// Reads one field line. Only commas outside of quotes separate elements, and elements may be empty.
        mutating func read(_ line: Span<UInt8>) {
            var index = 0
            while !isMalformed {
                while index < line.count, line[index].isBlank || line[index] == UInt8(ascii: ",") { index += 1 }
                guard index < line.count else { return }
                index = readElement(line, at: index)
                while index < line.count, line[index].isBlank { index += 1 }
                if index < line.count, line[index] != UInt8(ascii: ",") { isMalformed = true }
            }
        }

        /// Reads an element, and returns the index after it.
        private mutating func readElement(_ line: Span<UInt8>, at start: Int) -> Int {
            count += 1
            if line[start] == UInt8(ascii: "*") {
                hasAsterisk = true
                return start + 1
            }
            let isWeak = line.count - start > 2 && line[start] == UInt8(ascii: "W") && line[start + 1] == UInt8(ascii: "/")
            let opening = isWeak ? start + 2 : start
            var end = opening + 1
            while end < line.count, line[end].isEntityTag { end += 1 }
            guard line[opening] == UInt8(ascii: "\""), end < line.count, line[end] == UInt8(ascii: "\"") else {
                isMalformed = true
                return end
            }
            if let tag, tag.matches(line.extracting((opening + 1)..<end), isWeak: isWeak, comparison) { isFound = true }
            return end + 1
        }
    }
}
