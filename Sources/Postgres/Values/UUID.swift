/// A `uuid`: 128 bits, ordered as PostgreSQL orders them.
package struct UUID: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the canonical form with hyphens, in either case, and nothing else.
    package init?(_ text: String) {
        let bytes = text.utf8.span
        guard bytes.count == 36 else { return nil }
        var halves = (high: 0 as UInt64, low: 0 as UInt64)
        var place = 0
        while place < 36 {
            let byte = bytes[place]
            switch place {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return nil }
            case ..<18:
                guard let digit = byte.hexadecimalDigit else { return nil }
                halves.high = halves.high << 4 | digit
            default:
                guard let digit = byte.hexadecimalDigit else { return nil }
                halves.low = halves.low << 4 | digit
            }
            place &+= 1
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
            for place in 0..<36 {
                switch place {
                case 8, 13, 18, 23:
                    unsafe text[place] = UInt8(ascii: "-")
                    continue
                case 19: rest = low
                default: break
                }
                rest = rest << 4 | rest >> 60
                let digit = UInt8(truncatingIfNeeded: rest & 15)
                unsafe text[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 36
        }
    }
}

extension UInt8 {
    fileprivate var hexadecimalDigit: UInt64? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension UUID: PostgresEncodable, PostgresDecodable {
    package static var postgresType: PostgresType { .uuid }
    package static var readableTypes: String { "uuid" }

    package func encode(into bytes: inout [UInt8]) -> Bool {
        bytes.append(bigEndian: high)
        bytes.append(bigEndian: low)
        return true
    }

    package init(bytes: Span<UInt8>, of type: PostgresType) throws(DecodingFailure) {
        try Self.check(type == .uuid, .wrongType, type)
        guard bytes.count == 16, let high = bytes.bigEndian(as: UInt64.self), let low = bytes.bigEndian(at: 8, as: UInt64.self) else {
            throw Self.failure(.malformed, type)
        }
        self.init(high: high, low: low)
    }
}
