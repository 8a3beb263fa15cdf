/// A hash that is the same on every machine and in every language: FNV-1a of 64 bits, then the finalizer of MurmurHash3.
struct StableHash {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    /// Its bytes from the highest to the lowest.
    mutating func add(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Of all that was added.
    var value: UInt64 {
        var value = hash
        value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ (value >> 33)
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
