/// A fast hash of bytes that depends on a seed. Clients that do not know the seed cannot choose bytes with equal hashes.
package struct SeededHash: Sendable {
    private var state: UInt64
    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed | 1
        state = self.seed
    }

    package var value: UInt64 { state &* seed }

    /// Adds bytes. Their division into parts matters.
    package mutating func combine(_ bytes: Span<UInt8>) {
        var index = 0
        while index < bytes.count {
            combine(bytes.word(at: index))
            index += 8
        }
        combine(UInt64(truncatingIfNeeded: bytes.count))
    }

    private mutating func combine(_ word: UInt64) {
        state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
        state ^= state >> 32
    }
}
