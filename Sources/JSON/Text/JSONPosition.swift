/// A position in a text, in the units of an editor.
package struct JSONPosition: Equatable, Sendable {
    /// The line, counted from 1. Lines end at LF.
    package let line: Int
    /// The column, counted from 1 in Unicode scalars. An accented letter that is written as two scalars takes two
    /// columns.
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Computes the position from the text before the offset.
    init(offset: Int, in source: [UInt8]) {
        let before = source.prefix(offset)
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        line = before.reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
        column = before[lineStart...].reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }
}

/// Untrusted text that is made safe for a message: escaped as JSON and cut if it is long.
enum JSONExcerpt {
    static func of(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let printed = String(scalars.prefix(48))
        var writer = JSONWriter()
        writer.string(scalars.dropFirst(48).isEmpty ? printed : printed + "…")
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// Returns the character of a byte if it is visible, or its number.
    static func byte(_ byte: UInt8) -> String {
        guard byte > 0x20, byte < 0x7F else { return "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
        return "`\(Character(Unicode.Scalar(byte)))`"
    }
}
