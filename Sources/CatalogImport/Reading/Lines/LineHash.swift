/// The hash of a record as it was written, and of the rules by which it was read: half of a SHA-256.
///
/// Records with equal hashes are read as the same item. The rules are the version of the reader and the time zones of the
/// server. The catalog cannot lose the other names that a record uses while its item has them.
package struct LineHash: Sendable, Hashable {
    /// The version of the reader. Increase it with every change after which a valid record is rejected, or read as another
    /// item. Imports then read all records again.
    static let readerVersion = 1

    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    init(digest: [UInt8]) {
        high = UInt64(bigEndian: digest, at: 0)
        low = UInt64(bigEndian: digest, at: 8)
    }

    /// Returns the hash of the rules, with which hashes of records are combined.
    static func ofRules(_ vocabulary: Vocabulary, digest: ([UInt8]) -> [UInt8]) -> LineHash {
        let zones = vocabulary.timeZones.map { $0.sorted().joined(separator: "\n") } ?? "unknown"
        return LineHash(digest: digest(Array("\(readerVersion)\n\(zones)".utf8)))
    }

    /// Returns the hash of the record under the rules of this hash.
    func combined(with record: LineHash) -> LineHash { LineHash(high: high ^ record.high, low: low ^ record.low) }
}

extension [UInt8] {
    /// Appends eight bytes, the most significant one first.
    mutating func append(bigEndian word: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> UInt64(shift))) }
    }
}

extension UInt64 {
    /// Reads eight bytes, the most significant one first.
    init(bigEndian bytes: [UInt8], at start: Int) {
        var value: UInt64 = 0
        for byte in bytes[start..<start + 8] { value = value << 8 | UInt64(byte) }
        self = value
    }
}
