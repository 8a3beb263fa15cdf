extension [UInt8] {
    /// Appends a string in quotes, with only the escapes that RFC 8259 requires.
    mutating func append(quoting text: String) {
        if append(quotingPlain: text) { return }
        append(UInt8(ascii: "\""))
        append(escaping: text)
        append(UInt8(ascii: "\""))
    }

    mutating func append(quoting text: [UInt8]) {
        append(UInt8(ascii: "\""))
        append(escaping: text)
        append(UInt8(ascii: "\""))
    }

    /// Appends the content of a string, with the escapes that it needs in quotes.
    mutating func append(escaping text: String) {
        if !append(plain: text) { append(escaping: Array(text.utf8)) }
    }

    @inline(never)
    mutating func append(escaping text: [UInt8]) {
        var start = 0
        var end = text.span.endOfPlainText(from: 0)
        while end < text.count {
            append(contentsOf: text[start..<end])
            append(escape: text[end])
            start = end + 1
            end = text.span.endOfPlainText(from: start)
        }
        append(contentsOf: text[start...])
    }

    private mutating func append(escape byte: UInt8) {
        let digits = Array("0123456789abcdef".utf8)
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        default: append(contentsOf: [UInt8(ascii: "u"), 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
    }
}
