internal import Values

/// The digests of a scope in buckets, by the first bits of the SHA-256 of each ID.
package struct SyncDigests: Sendable, Equatable {
    package struct Bucket: Sendable, Equatable {
        package var entries = 0
        package var digest = SyncDigest()
    }

    /// The number of bits by which the database divides entities into buckets.
    package static let maxBits = 16
    /// The average number of entries of a bucket by default.
    private static let usualEntries = 16

    package internal(set) var head: Int
    package private(set) var bits: Int
    package private(set) var buckets: [Bucket]

    init(head: Int, bits: Int = maxBits) {
        self.head = head
        self.bits = bits
        buckets = Array(repeating: Bucket(), count: 1 << bits)
    }

    package var entries: Int { buckets.reduce(0) { $0 + $1.entries } }

    package var whole: SyncDigest { buckets.reduce(into: SyncDigest()) { $0.formXOR($1.digest) } }

    package var bytes: Int { buckets.count * MemoryLayout<Bucket>.stride }

    mutating func add(_ digest: SyncDigest, entries: Int, to bucket: Int) {
        buckets[bucket].entries += entries
        buckets[bucket].digest.formXOR(digest)
    }

    /// Returns the digests in fewer buckets. Nil chooses buckets of about 16 entries each.
    package func folded(to bits: Int?) -> SyncDigests {
        var requested = bits ?? 0
        if bits == nil { while requested < Self.maxBits, Self.usualEntries << requested < entries { requested += 1 } }
        var folded = SyncDigests(head: head, bits: min(requested, self.bits))
        for (index, bucket) in buckets.enumerated() {
            folded.add(bucket.digest, entries: bucket.entries, to: index >> (self.bits - folded.bits))
        }
        return folded
    }

    /// The 16 bytes of each bucket in order, as base64url.
    package var text: String { Base64URL.encode(buckets.flatMap(\.digest.bytes)) }
}
