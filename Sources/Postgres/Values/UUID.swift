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
        var digits: [UInt8] = []
        for (place, byte) in text.utf8.enumerated() {
            guard place < 36 else { return nil }
            if [8, 13, 18, 23].contains(place) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                digits.append(byte)
            }
        }
        guard digits.count == 32, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        guard let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits[16...], as: UTF8.self), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

extension UUID: Comparable {
    package static func < (left: UUID, right: UUID) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

extension UUID: CustomStringConvertible {
    package var description: String {
        var bytes: [UInt8] = []
        for (place, digit) in (high.hexadecimal + low.hexadecimal).enumerated() {
            if [8, 12, 16, 20].contains(place) { bytes.append(UInt8(ascii: "-")) }
            bytes.append(digit)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt64 {
    fileprivate var hexadecimal: [UInt8] {
        let digits = Array(String(self, radix: 16).utf8)
        return Array(repeating: UInt8(ascii: "0"), count: 16 - digits.count) + digits
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
