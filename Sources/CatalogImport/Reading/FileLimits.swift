internal import JSON

/// How much of a file is taken for one record.
package struct FileLimits: Sendable {
    /// The bytes of a record.
    package var record: Int
    /// How many mistakes of a record are told.
    package var mistakes: Int

    package init(record: Int = 1 << 20, mistakes: Int = 10) {
        self.record = max(1, record)
        self.mistakes = max(1, mistakes)
    }

    var json: JSONLimits { JSONLimits(bytes: record, depth: 8, values: 100_000) }
}
