internal import Values

/// A digest of a set of entities: the XOR of the first 16 bytes of the SHA-256 of each. The hash input is `kind`, `id`
/// and `hash` on three lines.
package struct SyncDigest: Sendable, Equatable {
    package private(set) var high: Int = 0
    package private(set) var low: Int = 0

    package mutating func formXOR(_ other: SyncDigest) {
        high ^= other.high
        low ^= other.low
    }

    /// The digest as 22 characters of base64url.
    package var text: String { Base64URL.encode(bytes) }

    /// The 16 bytes of the digest.
    var bytes: [UInt8] { [high, low].flatMap(Self.bytes) }

    private static func bytes(_ half: Int) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
}
