internal import Values

/// The names that the records of a file have taken so far, of which none may be given twice.
struct DuplicateNameDetector: Sendable {
    private var sources = FingerprintSet()
    private var slugs = FingerprintSet()
    private var ids = FingerprintSet()
    private var serialNumbers = FingerprintSet()
    private var words = FingerprintSet()

    /// The member that is taken already, of a record that is no item.
    mutating func insert(_ record: CatalogRecord) -> String? {
        switch record {
        case .storefront(let storefront): words.insert(Self.fingerprint("storefront", storefront.key)) ? nil : "key"
        case .category(let category): words.insert(Self.fingerprint("category", category.key)) ? nil : "key"
        case .chart(let chart): words.insert(Self.fingerprint("chart of \(chart.storefront)", chart.name)) ? nil : "name"
        case .item: nil
        }
    }

    /// The member that is taken already; then nothing of the item is remembered but its source.
    mutating func insert(_ item: PreparedItem) -> String? {
        let record = item.record
        let derived = item.derivedID
        guard sources.insert(derived.low) else { return "source" }
        let slug = Self.fingerprint(record.kind, item.slug)
        guard !slugs.contains(slug) else { return "slug" }
        // Neither that of an item that has one of its own, nor that of one that has not.
        if ids.contains(Self.fingerprint(item.id)) || item.id != derived && sources.contains(item.id.low) { return "id" }
        if let number = record.serialNumber {
            guard serialNumbers.insert(Self.fingerprint(number)) else { return "serialNumber" }
        }
        _ = slugs.insert(slug)
        if record.id != nil { _ = ids.insert(Self.fingerprint(item.id)) }
        return nil
    }

    func hasSeen(_ derived: UUID) -> Bool { sources.contains(derived.low) }

    private static func fingerprint(_ id: UUID) -> UInt64 { mixed(id.high ^ mixed(id.low)) }

    private static func fingerprint(_ number: Int64) -> UInt64 { mixed(UInt64(bitPattern: number)) }

    /// Seeded anew in each process, as slugs may be chosen to meet.
    private static func fingerprint(_ kind: some Hashable, _ name: String) -> UInt64 {
        var hash = Hasher()
        hash.combine(kind)
        hash.combine(name)
        return UInt64(truncatingIfNeeded: hash.finalize())
    }

    /// The end of SplitMix64, which no two numbers share.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var z = number
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

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
