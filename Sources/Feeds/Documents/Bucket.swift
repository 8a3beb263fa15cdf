/// A part of all clients, for an experiment. The same client is always in the bucket or never, and experiments are
/// independent of each other.
///
/// Each client has a number from 0 to 99 in each experiment: the remainder by 100 of a hash of `EXPERIMENT/CLIENT` in
/// UTF-8. The hash is FNV-1a with 64 bits, then the finalizer of MurmurHash3. Clients compute the same number. Client
/// `a` has 47 in `weekend` (the hash is 0x98058dd526dce54f) and 73 in `dark-mode` (0xe4a5ba25a4f32689). `docs/feeds.md`
/// has the steps and more examples.
package struct Bucket: Sendable, Hashable {
    package static let count = 100

    package let experiment: String
    /// The numbers in the bucket, from 0 to 99. Never empty.
    package let range: Range<Int>

    package func includes(clientID: String) -> Bool { range.contains(Self.bucket(of: clientID, in: experiment)) }

    package static func bucket(of clientID: String, in experiment: String) -> Int {
        Int(hash("\(experiment)/\(clientID)") % UInt64(count))
    }

    static func hash(_ text: String) -> UInt64 {
        var hash = StableHash()
        hash.add(text)
        return hash.value
    }
}

/// A hash that is the same on every machine and in every language: FNV-1a with 64 bits, then the finalizer of
/// MurmurHash3.
struct StableHash {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) { for byte in text.utf8 { add(byte) } }

    /// Adds the bytes of a number, from the highest to the lowest.
    mutating func add(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    var value: UInt64 {
        var value = hash
        value = (value ^ (value >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ (value >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ (value >> 33)
    }

    private mutating func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
