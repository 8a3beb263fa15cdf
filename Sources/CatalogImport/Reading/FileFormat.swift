internal import JSON

/// How a catalog is written down.
package enum FileFormat: String, CaseIterable, Sendable {
    /// A record of JSON on each line.
    case jsonl
    /// A header and a row for each record.
    case csv
    /// What `apt-cache dumpavail` prints.
    case apt

    /// By the name, or else by the first bytes: a record begins with a brace, and a header does not.
    package static func guess(name: String, beginning: some Sequence<UInt8>) -> FileFormat {
        let suffix = name.split(separator: ".").dropFirst().last.map { $0.lowercased() }
        switch suffix {
        case "jsonl", "ndjson", "json": return .jsonl
        case "csv": return .csv
        default: break
        }
        // A byte order mark and blanks say nothing; a bracket begins what is meant as JSON and is refused as such.
        let first = beginning.first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .jsonl : .csv
    }
}

/// What a piece of a file turned out to be.
package enum FileEvent: Sendable {
    case item(PreparedItem)
    case storefront(StorefrontRecord, line: Int)
    case category(CategoryRecord, line: Int)
    case chart(ChartRecord, line: Int)
    /// Before a record that changes what the catalog or the file has said of a word: what stands above it goes by what was.
    case wordChanges
    /// A record that cannot be imported, with all that is wrong with it.
    case rejected([Reject])
}

/// How much of a file is taken for one record, and how many records of a file.
package struct FileLimits: Sendable {
    /// The most records that a file may have. Of each, what it is matched by is remembered until the file ends: 512 MiB at most for as many items.
    package static let maxRecords = 12_000_000

    /// The records of a file, the rejected ones included.
    package var records: Int
    /// The bytes of a record.
    package var record: Int
    /// How many mistakes of a record are told.
    package var issues: Int

    package init(record: Int = 1 << 20, issues: Int = 10, records: Int = maxRecords) {
        self.records = max(1, records)
        self.record = max(1, record)
        self.issues = max(1, issues)
    }

    var json: JSONLimits { JSONLimits(bytes: record, depth: 8, values: 100_000) }
}
