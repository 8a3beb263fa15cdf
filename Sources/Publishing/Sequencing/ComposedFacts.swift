internal import Feeds
internal import Values

/// The facts of shown items with which the sections of each storefront were composed, as hashes.
///
/// An item whose facts are still the same is composed to the same, except for its title. The facts themselves would use much
/// more memory. That two differ and have the same hash of 64 bits is not to be expected in the life of a process.
struct ComposedFacts {
    private var hashes: [String: [UUID: Int]] = [:]

    /// Returns the items that are unavailable, or whose facts differ or are unknown.
    func changed(_ items: Set<UUID>, in storefront: String, now facts: [UUID: ItemFacts]) -> Set<UUID> {
        guard let known = hashes[storefront] else { return items }
        return items.filter { item in
            guard let now = facts[item], let hash = known[item] else { return true }
            return now.hashValue != hash
        }
    }

    // The last drain shares the storage until it is written to, so equal hashes are not written.

    /// Keeps the facts of an item. Without `isWhole`, a transaction whose changes wait can have changed them, which other sections
    /// have not seen. Then they become unknown instead.
    mutating func insert(_ facts: ItemFacts, in storefront: String, isWhole: Bool) {
        let hash = facts.hashValue
        if hashes[storefront]?[facts.id] == hash { return }
        if isWhole { hashes[storefront, default: [:]][facts.id] = hash } else { hashes[storefront]?[facts.id] = nil }
    }

    /// Replaces the facts of those of the items that are known. The sections that show them are composed with these facts.
    mutating func update(_ items: Set<UUID>, in storefront: String, to facts: [UUID: ItemFacts]) {
        for item in items {
            guard let hash = hashes[storefront]?[item] else { continue }
            let now = facts[item]?.hashValue
            if now != hash { hashes[storefront]?[item] = now }
        }
    }

    /// Forgets the items of a storefront.
    mutating func remove(_ storefront: String) { hashes[storefront] = nil }

    /// Forgets the items of all other storefronts. A closed storefront does not notice their changes.
    mutating func removeAll(except storefronts: Set<String>) {
        if hashes.keys.allSatisfy(storefronts.contains) { return }
        hashes = hashes.filter { storefronts.contains($0.key) }
    }
}
