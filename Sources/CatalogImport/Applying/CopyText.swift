internal import JSON
internal import Values

/// Rows in the text format of COPY, which does not depend on the width of a column.
struct CopyText {
    private(set) var bytes: [UInt8] = []
    private(set) var rows = 0
    private var isFirst = true

    mutating func endRow() {
        bytes.append(0x0A)
        rows += 1
        isFirst = true
    }

    mutating func text(_ text: String?) {
        separate()
        guard let text else { return null() }
        append(escaping: text)
    }

    mutating func number(_ number: Int?) {
        separate()
        guard let number else { return null() }
        bytes.append(integer: number)
    }

    mutating func bool(_ bool: Bool) {
        separate()
        bytes.append(bool ? UInt8(ascii: "t") : UInt8(ascii: "f"))
    }

    /// Appends a text without a tab, a line break or a backslash.
    mutating func plain(_ text: String?) {
        separate()
        guard let text else { return null() }
        bytes.append(copying: text.utf8.span)
    }

    mutating func digest(_ digest: [UInt8]) {
        separate()
        bytes.append(contentsOf: #"\\x"#.utf8)
        for byte in digest {
            bytes.append(Self.digits[Int(byte >> 4)])
            bytes.append(Self.digits[Int(byte & 15)])
        }
    }

    /// Appends an array of texts that need no quotation marks.
    mutating func terms(_ words: [String]) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        for (index, word) in words.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(copying: word.utf8.span)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static let digits = Array("0123456789abcdef".utf8)

    private mutating func separate() {
        if isFirst { isFirst = false } else { bytes.append(0x09) }
    }

    private mutating func null() { bytes.append(contentsOf: #"\N"#.utf8) }

    private mutating func append(escaping text: String) {
        let isPlain = text.utf8.span.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\\") }
        guard !isPlain else { return bytes.append(copying: text.utf8.span) }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes.append(contentsOf: [byte, byte])
            case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
            case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
            case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
            default: bytes.append(byte)
            }
        }
    }
}
