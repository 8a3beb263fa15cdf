internal import JSON

/// The format of a catalog file.
package enum FileFormat: String, CaseIterable, Sendable {
    /// One JSON record on each line.
    case jsonl
    /// A header row, then one row for each record.
    case csv
    /// The output of `apt-cache dumpavail`.
    case apt

    /// Returns the format by the name, or else by the first bytes. A JSON record starts with a brace, and a header does
    /// not.
    package static func guess(name: String, start: some Sequence<UInt8>) -> FileFormat {
        let suffix = name.split(separator: ".").dropFirst().last.map { $0.lowercased() }
        switch suffix {
        case "jsonl", "ndjson", "json": return .jsonl
        case "csv": return .csv
        default: break
        }
        // A byte order mark and blanks are ignored. A bracket starts a JSON array, which the JSON Lines reader rejects
        // with a clear message.
        let first = start.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .jsonl : .csv
    }
}

/// The result of reading a piece of a file.
package enum FileEvent: Sendable {
    case item(PreparedItem)
    /// An item that the catalog has with an equal line.
    case unchanged(UnchangedLine)
    case storefront(StorefrontRecord, line: Int)
    case category(CategoryRecord, line: Int)
    case chart(ChartRecord, line: Int)
    /// The next record changes an existing name of the vocabulary. The records above it must be written with the old
    /// meaning.
    case wordChanges
    /// An invalid record with all of its issues.
    case rejected([Reject])
}

/// The limits on the size of a record and the number of records.
package struct FileLimits: Sendable {
    /// The maximum number of records. Their identities are kept in memory until the file ends: at most 512 MiB for that
    /// many items.
    package static let maxRecords = 12_000_000

    /// The number of records of a file, including rejected ones.
    package var records: Int
    /// The number of bytes of a record.
    package var record: Int
    /// The number of issues that are reported for a record.
    package var issues: Int

    package init(record: Int = 1 << 20, issues: Int = 10, records: Int = maxRecords) {
        self.records = max(1, records)
        self.record = max(1, record)
        self.issues = max(1, issues)
    }

    var json: JSONLimits { JSONLimits(bytes: record, depth: 8, values: 100_000) }
}
