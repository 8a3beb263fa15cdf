internal import JSON

/// How much of a file is taken for one record, and how many records of a file.
package struct FileLimits: Sendable {
    /// The most records that a file may have. Of each, what it is matched by is remembered until the file ends: 512 MiB at most for as many items.
    package static let maxRecords = 12_000_000

    /// The records of a file, the rejected ones included.
    package var records: Int
    /// The bytes of a record.
    package var record: Int
    /// How many mistakes of a record are told.
    package var mistakes: Int

    package init(record: Int = 1 << 20, mistakes: Int = 10, records: Int = maxRecords) {
        self.records = max(1, records)
        self.record = max(1, record)
        self.mistakes = max(1, mistakes)
    }

    var json: JSONLimits { JSONLimits(bytes: record, depth: 8, values: 100_000) }
}
