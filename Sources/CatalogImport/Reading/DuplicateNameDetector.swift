internal import Values

/// The names of the records of a file so far. Each name can be used only once.
struct DuplicateNameDetector: Sendable {
    private var sources = FingerprintSet()
    private var slugs = FingerprintSet()
    private var ids = FingerprintSet()
    /// The halves of the explicit IDs that are compared with derived ones.
    private var halvesOfIDs = FingerprintSet()
    private var serialNumbers = FingerprintSet()
    private var keys = FingerprintSet()

    /// Adds a record that is not an item. Returns the field whose name is already in use.
    mutating func insert(_ record: CatalogRecord) -> String? {
        switch record {
        case .storefront(let storefront): keys.insert(Self.fingerprint("storefront", storefront.key)) ? nil : "key"
        case .category(let category): keys.insert(Self.fingerprint("category", category.key)) ? nil : "key"
        case .chart(let chart): keys.insert(Self.fingerprint("chart of \(chart.storefront)", chart.name)) ? nil : "name"
        case .item: nil
        }
    }

    /// Adds an item. Returns the field whose name is already in use. Then only the source of the item is remembered.
    mutating func insert(_ names: ItemNames) -> String? {
        guard sources.insert(names.source) else { return "source" }
        guard !slugs.contains(names.slug) else { return "slug" }
        // An ID must differ both from explicit IDs and from IDs that are derived from sources.
        if let id = names.id {
            if ids.contains(id.whole) || id.half != names.source && sources.contains(id.half) { return "id" }
        } else if halvesOfIDs.contains(names.source) {
            return "id"
        }
        if let number = names.serialNumber {
            guard serialNumbers.insert(number) else { return "serialNumber" }
        }
        _ = slugs.insert(names.slug)
        if let id = names.id {
            _ = ids.insert(id.whole)
            _ = halvesOfIDs.insert(id.half)
        }
        return nil
    }

    func contains(_ derived: UUID) -> Bool { sources.contains(derived.low) }

    /// Returns a hash with a seed of this process.
    private static func fingerprint(_ kind: some Hashable, _ name: String) -> UInt64 {
        var hash = Hasher()
        hash.combine(kind)
        hash.combine(name)
        return UInt64(truncatingIfNeeded: hash.finalize())
    }
}

/// A set of fingerprints at 8 bytes each. It uses 61 bits of a digest. Among a million million pairs of different
/// values, the chance of a collision is one in two million.
///
/// At least a quarter of the table stays empty. A million values take 16 MiB.
struct FingerprintSet: Sendable {
    private var slots: [UInt64]
    private var count = 0

    /// Creates a table with a power of two of slots, a quarter of which stays empty.
    init(slots: Int = 1 << 10) {
        precondition(slots >= 4 && slots.nonzeroBitCount == 1, "the number of slots must be a power of two and at least 4")
        self.slots = Array(repeating: 0, count: slots)
    }

    /// Adds a fingerprint. Returns false if it was already in the set. The bits must be uniformly distributed, like
    /// those of a digest.
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

    /// Inserts a fingerprint without growing the table. Zero is an empty slot, so the lowest bit is always set.
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
