/// Which of many things have been seen, at 8 bytes each. Of a digest 61 bits count, so that of a million million pairs of different things one in
/// two million is mixed up.
///
/// A quarter of the table stays empty at least, and a million things take 16 MiB.
struct FingerprintSet: Sendable {
    private var slots: [UInt64]
    private var count = 0

    /// Begins with room for a power of two, a quarter of which stays empty.
    init(slots: Int = 1 << 10) {
        precondition(slots >= 4 && slots.nonzeroBitCount == 1, "the slots are a power of two, and a quarter of them is one at least")
        self.slots = Array(repeating: 0, count: slots)
    }

    /// False where it was there already. What is given has to be spread evenly, as the bits of a digest are.
    mutating func insert(_ fingerprint: UInt64) -> Bool {
        if count >= slots.count / 4 * 3 { grow() }
        guard place(fingerprint | 1) else { return false }
        count += 1
        return true
    }

    func contains(_ fingerprint: UInt64) -> Bool {
        let fingerprint = fingerprint | 1
        var slot = Int(truncatingIfNeeded: fingerprint >> 1) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == fingerprint { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    /// Zero is an empty slot, so the lowest bit is always set.
    private mutating func place(_ fingerprint: UInt64) -> Bool {
        var slot = Int(truncatingIfNeeded: fingerprint >> 1) & (slots.count - 1)
        while slots[slot] != 0 {
            if slots[slot] == fingerprint { return false }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = fingerprint
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 2)
        for fingerprint in old where fingerprint != 0 { _ = place(fingerprint) }
    }
}
