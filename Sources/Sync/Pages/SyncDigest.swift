internal import Values

/// Tells one set of entities from others: the XOR of the first 16 bytes of SHA-256 of `kind`, `id` and `hash` on three lines, of each of them.
package struct SyncDigest: Sendable, Equatable {
    package private(set) var high: Int = 0
    package private(set) var low: Int = 0

    package mutating func formXOR(_ other: SyncDigest) {
        high ^= other.high
        low ^= other.low
    }

    /// 22 characters.
    package var text: String { Base64URL.encode(bytes) }

    /// All 16 of them.
    var bytes: [UInt8] { [high, low].flatMap(Self.bytes) }

    private static func bytes(_ half: Int) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
}
