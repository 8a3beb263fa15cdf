/// The place of a client in an experiment, from 0 to 99: the remainder by 100 of a hash of `SALT/CLIENT` in UTF-8. It
/// never changes, and the places in two experiments are independent of each other.
///
/// The hash is FNV-1a with 64 bits, then the finalizer of MurmurHash3. Clients compute the same place. Client `a` has
/// 47 in `weekend` (the hash is 0x98058dd526dce54f) and 73 in `dark-mode` (0xe4a5ba25a4f32689). `docs/feeds.md` has the
/// steps and more examples.
package enum Place {
    package static let count = 100

    package static func of(_ client: String, in salt: String) -> Int {
        var hash = StableHash()
        hash.add(salt)
        hash.add("/")
        hash.add(client)
        return Int(hash.value % UInt64(count))
    }
}

/// A hash that is the same on every machine and in every language: FNV-1a with 64 bits, then the finalizer of
/// MurmurHash3.
package struct StableHash {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    /// Adds the bytes of a number, from the highest to the lowest.
    package mutating func add(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    package var value: UInt64 {
        var value = hash
        value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ (value >> 33)
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
