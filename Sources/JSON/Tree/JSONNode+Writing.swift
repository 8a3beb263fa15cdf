extension JSONNode {
    /// Where the value is written, from its first byte to behind its last; of a text with comments, with those within it.
    package var range: Range<Int> {
        switch kind {
        case .null, .bool, .number: return offset..<offset + Int(entry.length)
        case .string, .array, .object: break
        }
        let source = document.source
        var position = offset
        var depth = 0
        repeat {
            switch source[position] {
            case UInt8(ascii: "\""):
                position += 1
                while source[position] != UInt8(ascii: "\"") { position += source[position] == UInt8(ascii: "\\") ? 2 : 1 }
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "/") where source[position + 1] == UInt8(ascii: "/"):
                while source[position] != 0x0A { position += 1 }
            case UInt8(ascii: "/"):
                position += 2
                while source[position] != UInt8(ascii: "*") || source[position + 1] != UInt8(ascii: "/") { position += 1 }
                position += 1
            default: break
            }
            position += 1
        } while depth > 0
        return offset..<position
    }
}
