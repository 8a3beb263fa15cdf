internal import Items
internal import JSON
internal import Values

/// The identity of an item whose file does not specify it. It is the same in every catalog.
enum ItemIdentity {
    /// Returns a UUID of version 8 (RFC 9562), the version for custom digests.
    static func id(_ kind: ItemKind, _ source: String, digest: ([UInt8]) -> [UInt8]) -> UUID {
        var name: [UInt8] = []
        name.reserveCapacity(8 + source.utf8.count)
        name.append(copying: kind.rawValue.utf8.span)
        name.append(UInt8(ascii: ":"))
        name.append(copying: source.utf8.span)
        let bits = digest(name)
        let high = UInt64(bigEndian: bits, at: 0) & ~0xF000 | 0x8000
        let low = UInt64(bigEndian: bits, at: 8) & (UInt64.max >> 2) | 1 << 63
        return UUID(high: high, low: low)
    }

    /// Returns the source if it is a slug. Otherwise, returns the valid part of it with a part of the ID, so that each
    /// slug is unique.
    static func slug(_ source: String, _ id: UUID) -> String {
        if IdentifierFormat.slug.fits(source) { return source }
        var bytes: [UInt8] = []
        for byte in source.utf8.prefix(160) {
            let lower = byte.isUpper ? byte | 0x20 : byte
            if lower.isLower || lower.isDigit {
                bytes.append(lower)
            } else if bytes.last != UInt8(ascii: "-"), !bytes.isEmpty {
                bytes.append(UInt8(ascii: "-"))
            }
        }
        bytes = Array(bytes.prefix(63))
        if bytes.last != UInt8(ascii: "-"), !bytes.isEmpty { bytes.append(UInt8(ascii: "-")) }
        // The other half of the ID, without the bits of the UUID variant.
        let tail = String(id.low & (UInt64.max >> 4), radix: 16)
        return String(decoding: bytes, as: UTF8.self) + String(repeating: "0", count: 15 - tail.count) + tail
    }
}
