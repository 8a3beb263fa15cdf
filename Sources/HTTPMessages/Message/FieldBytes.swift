extension UInt8 {
    var lowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

    var isDigit: Bool { (0x30...0x39).contains(self) }

    /// Allowed in the name of a method or of a field: letters, digits and ``!#$%&'*+-.^_`|~``.
    var isToken: Bool { isMarked(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }

    /// Whether the bit of this byte is set: in the first for those below 64, in the second for the rest of ASCII.
    private func isMarked(_ low: UInt64, _ high: UInt64) -> Bool {
        self < 0x80 && (self < 0x40 ? low : high) >> UInt64(self & 0x3F) & 1 == 1
    }

    /// Allowed in the value of a field: what can be seen, blanks between, and bytes that are not ASCII.
    var isFieldValue: Bool { self == 0x09 || self >= 0x20 && self != 0x7F }

    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Allowed in a path as RFC 3986 has it, with the percent sign of an escape: letters, digits and `/%-._~!$&'()*+,;=:@`.
    var isPath: Bool { isMarked(0x2FFF_FFF2_0000_0000, 0x47FF_FFFE_87FF_FFFF) }

    /// A query may have brackets as well, which many clients leave as they are.
    var isQuery: Bool { isPath || self == UInt8(ascii: "?") || self == UInt8(ascii: "[") || self == UInt8(ascii: "]") }

    var hexadecimalDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}
