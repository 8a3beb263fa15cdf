/// A 128-bit identifier, ordered like a `uuid` of PostgreSQL.
package struct UUID: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses the canonical form with hyphens only, in either case.
    package init?(_ text: String) { self.init(utf8: text.utf8.span) }

    /// Parses the bytes of the canonical form.
    package init?(utf8 bytes: Span<UInt8>) {
        guard bytes.count == 36, bytes[8] == Self.hyphen, bytes[13] == Self.hyphen, bytes[18] == Self.hyphen, bytes[23] == Self.hyphen
        else { return nil }
        guard let first = Self.number(bytes, 0, 4), let second = Self.number(bytes, 9, 14), let third = Self.number(bytes, 19, 24),
            let fourth = Self.number(bytes, 28, 32)
        else { return nil }
        self.init(high: first << 32 | second, low: third << 32 | fourth)
    }

    private static let hyphen = UInt8(ascii: "-")

    /// Reads a number of eight hexadecimal digits, four from each of two positions, all at the same time.
    private static func number(_ bytes: Span<UInt8>, _ first: Int, _ second: Int) -> UInt64? {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let marks = ones << 7
        let digits = fourBytes(bytes, first) | fourBytes(bytes, second) << 32
        let letters = digits | ones * 0x20
        // The sums set the highest bit of a byte from 0x30 and from 0x3A on, or from a and from g on.
        let isDigit = (digits &+ ones * 0x50) & ~(digits &+ ones * 0x46) & marks
        let isLetter = (letters &+ ones * 0x1F) & ~(letters &+ ones * 0x19) & marks
        guard isDigit | isLetter == marks else { return nil }
        var number = (digits & (ones * 0x0F)) + (isLetter >> 7) * 9
        number = (number << 4 | number >> 8) & 0x00FF_00FF_00FF_00FF
        number = (number << 8 | number >> 16) & 0x0000_FFFF_0000_FFFF
        return (number << 16 | number >> 32) & 0xFFFF_FFFF
    }

    private static func fourBytes(_ bytes: Span<UInt8>, _ index: Int) -> UInt64 {
        UInt64(bytes[index]) | UInt64(bytes[index + 1]) << 8 | UInt64(bytes[index + 2]) << 16 | UInt64(bytes[index + 3]) << 24
    }
}

extension UUID: Comparable {
    package static func < (left: UUID, right: UUID) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension UUID: CustomStringConvertible {
    package var description: String {
        let text = text
        return unsafe text.span.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// The canonical form as ASCII.
    package var text: InlineArray<36, UInt8> {
        var text = InlineArray<36, UInt8>(repeating: Self.hyphen)
        let digits = (Self.digits(of: high >> 32), Self.digits(of: high), Self.digits(of: low >> 32), Self.digits(of: low))
        for index in 0..<8 {
            let shift = UInt64(index * 8)
            // The second and the third number have a hyphen in their middle.
            let middle = index < 4 ? 0 : 1
            text[index] = UInt8(truncatingIfNeeded: digits.0 >> shift)
            text[9 + index + middle] = UInt8(truncatingIfNeeded: digits.1 >> shift)
            text[19 + index + middle] = UInt8(truncatingIfNeeded: digits.2 >> shift)
            text[28 + index] = UInt8(truncatingIfNeeded: digits.3 >> shift)
        }
        return text
    }

    /// Returns the eight hexadecimal digits of the low half as ASCII, the first in the lowest byte.
    private static func digits(of number: UInt64) -> UInt64 {
        // Spreads the half over eight bytes, four bits in each.
        var spread = UInt64(UInt32(truncatingIfNeeded: number).byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
        let letters = ((spread + 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        return spread + 0x3030_3030_3030_3030 + letters * 0x27
    }
}
