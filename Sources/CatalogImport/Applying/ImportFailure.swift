/// The reason why an import ended early.
package enum ImportFailure: Error, Sendable, Equatable {
    /// The import has more rejects than allowed. The counts are of the records that were already written, which stay.
    case tooManyRejects(ImportCounts)
    /// The database rejected more records in one transaction than it has room for. The counts are of the records that
    /// were already written, which stay.
    case tooManyRefusals(ImportCounts)
    /// The file has more records than `FileLimits.maxRecords`. The counts are of the records that were already written,
    /// which stay. The last chunk is not written.
    case tooManyRecords(ImportCounts)
    /// The beginning of the file is invalid, so that none of its records could be read.
    case unreadable(ImportCounts)

    /// The name of the failure in the import log.
    package var word: String {
        switch self {
        case .tooManyRejects: "tooManyRejects"
        case .tooManyRefusals: "tooManyRefusals"
        case .tooManyRecords: "tooManyRecords"
        case .unreadable: "unreadable"
        }
    }

    /// Returns nil if the name is unknown.
    package init?(_ word: String, _ counts: ImportCounts) {
        switch word {
        case "tooManyRejects": self = .tooManyRejects(counts)
        case "tooManyRefusals": self = .tooManyRefusals(counts)
        case "tooManyRecords": self = .tooManyRecords(counts)
        case "unreadable": self = .unreadable(counts)
        default: return nil
        }
    }

    package var kept: ImportCounts {
        switch self {
        case .tooManyRejects(let counts), .tooManyRefusals(let counts), .tooManyRecords(let counts), .unreadable(let counts): counts
        }
    }
}
