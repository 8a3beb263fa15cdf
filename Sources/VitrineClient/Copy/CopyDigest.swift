internal import Values

/// Tells one set of entities from others: the XOR of 16 bytes of each.
public struct CopyDigest: Sendable, Hashable, CustomStringConvertible {
    static let byteCount = 16

    private var high: UInt64
    private var low: UInt64

    /// Of nothing at all.
    public init() { (high, low) = (0, 0) }

    /// The first 16 bytes; missing ones are zero.
    init(_ bytes: ArraySlice<UInt8>) {
        func half(_ from: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 << 8 | UInt64(from + $1 < bytes.count ? bytes[bytes.startIndex + from + $1] : 0) }
        }
        (high, low) = (half(0), half(8))
    }

    mutating func formXOR(_ other: CopyDigest) {
        high ^= other.high
        low ^= other.low
    }

    /// 22 characters, as the server writes it.
    public var description: String {
        Base64URL.encode([high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - $0 * 8)) } })
    }
}
