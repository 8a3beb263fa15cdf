/// Replaces the comments and trailing commas of a text by spaces. The result is strict JSON with each value at its
/// original offset. One pass, in time linear in the text.
struct JSONCommentStripper {
    private let source: [UInt8]
    private var plain: [UInt8]
    private var position = 0
    /// The last byte that is not a space.
    private var last: UInt8?
    /// The position of a comma that may be a trailing one.
    private var comma: Int?

    /// Returns the text without comments. `source` must be valid UTF-8.
    static func plain(_ source: [UInt8]) throws(JSONParseFailure) -> [UInt8] {
        var blanking = JSONCommentStripper(source)
        try blanking.run()
        return blanking.plain
    }

    private init(_ source: [UInt8]) {
        self.source = source
        plain = source
    }

    private mutating func run() throws(JSONParseFailure) {
        while position < source.count {
            switch source[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            case UInt8(ascii: "/"): try comment()
            case UInt8(ascii: "#"): throw Self.badComment(at: position)
            case UInt8(ascii: "\""): string()
            case let byte: consume(byte)
            }
        }
    }

    private mutating func consume(_ byte: UInt8) {
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]"), let comma { plain[comma] = 0x20 }
        // A comma that follows no value is not a trailing one.
        let ends: [UInt8?] = [nil, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{")]
        comma = byte == UInt8(ascii: ",") && !ends.contains(last) ? position : nil
        last = byte
        position += 1
    }

    /// Skips a string. The parser reports one that does not end in its line.
    private mutating func string() {
        comma = nil
        last = UInt8(ascii: "\"")
        position += 1
        while position < source.count, source[position] != UInt8(ascii: "\""), source[position] != 0x0A {
            position += source[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        position += 1
    }

    private mutating func comment() throws(JSONParseFailure) {
        let start = position
        guard start + 1 < source.count else { throw Self.badComment(at: start) }
        switch source[start + 1] {
        case UInt8(ascii: "/"):
            while position < source.count, source[position] != 0x0A { blank() }
        case UInt8(ascii: "*"):
            blank()
            blank()
            while !source[position...].starts(with: [UInt8(ascii: "*"), UInt8(ascii: "/")]) {
                guard position < source.count else {
                    throw JSONParseFailure(
                        code: .unexpectedEnd, offset: start, message: "this comment is not closed",
                        hint: "close the comment with */, or use // for a comment that ends with the line")
                }
                blank()
            }
            blank()
            blank()
        default: throw Self.badComment(at: start)
        }
    }

    /// Replaces a byte by a space, but keeps line breaks.
    private mutating func blank() {
        if source[position] != 0x0A { plain[position] = 0x20 }
        position += 1
    }

    private static func badComment(at offset: Int) -> JSONParseFailure {
        JSONParseFailure(
            code: .unexpectedCharacter, offset: offset, message: "expected a value or a comment, found /",
            hint: "a comment starts with // or is enclosed in /* and */")
    }
}
