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
        guard bytes.count == 36 else { return nil }
        var halves = (high: 0 as UInt64, low: 0 as UInt64)
        var position = 0
        while position < 36 {
            let byte = bytes[position]
            switch position {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return nil }
            case ..<18:
                guard let digit = byte.hexadecimalDigit else { return nil }
                halves.high = halves.high << 4 | UInt64(digit)
            default:
                guard let digit = byte.hexadecimalDigit else { return nil }
                halves.low = halves.low << 4 | UInt64(digit)
            }
            position &+= 1
        }
        self.init(high: halves.high, low: halves.low)
    }
}

extension UUID: Comparable {
    package static func < (left: UUID, right: UUID) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension UUID: CustomStringConvertible {
    package var description: String {
        unsafe String(unsafeUninitializedCapacity: 36) { text in
            var rest = high
            for position in 0..<36 {
                switch position {
                case 8, 13, 18, 23:
                    unsafe text[position] = UInt8(ascii: "-")
                    continue
                case 19: rest = low
                default: break
                }
                rest = rest << 4 | rest >> 60
                let digit = UInt8(truncatingIfNeeded: rest & 15)
                unsafe text[position] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 36
        }
    }
}
