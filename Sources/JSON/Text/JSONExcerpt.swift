/// Words of a stranger made fit for a message: escaped as JSON and cut where they are long.
enum JSONExcerpt {
    static func of(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let shown = String(scalars.prefix(48))
        var writer = JSONWriter()
        writer.string(scalars.dropFirst(48).isEmpty ? shown : shown + "…")
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// A single byte, by its character where it has a visible one.
    static func byte(_ byte: UInt8) -> String {
        guard byte > 0x20, byte < 0x7F else { return "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
        return "`\(Character(Unicode.Scalar(byte)))`"
    }
}
