/// The reason why an import ended early.
package enum ImportFailure: Error, Sendable, Equatable {
    /// The import has more rejects than allowed. The counts are of the records that were already written, which stay.
    case tooManyRejects(ImportCounts)
    /// The database rejected more records in one transaction than it has room for. The counts are of the records that
    /// were already written, which stay.
    case tooManyConstraintFailures(ImportCounts)
    /// The file has more records than `FileLimits.maxRecords`. The counts are of the records that were already written,
    /// which stay. The last chunk is not written.
    case tooManyRecords(ImportCounts)
    /// The header of the CSV file is invalid, so that none of its records could be read.
    case unreadableFile(ImportCounts)

    /// The name of the failure in the import log.
    package var word: String {
        switch self {
        case .tooManyRejects: "tooManyRejects"
        case .tooManyConstraintFailures: "tooManyConstraintFailures"
        case .tooManyRecords: "tooManyRecords"
        case .unreadableFile: "unreadableFile"
        }
    }

    /// Returns nil if the name is unknown.
    package init?(_ word: String, _ counts: ImportCounts) {
        switch word {
        case "tooManyRejects": self = .tooManyRejects(counts)
        case "tooManyConstraintFailures": self = .tooManyConstraintFailures(counts)
        case "tooManyRecords": self = .tooManyRecords(counts)
        case "unreadableFile": self = .unreadableFile(counts)
        default: return nil
        }
    }

    package var retained: ImportCounts {
        switch self {
        case .tooManyRejects(let counts), .tooManyConstraintFailures(let counts), .tooManyRecords(let counts), .unreadableFile(let counts):
            counts
        }
    }
}
