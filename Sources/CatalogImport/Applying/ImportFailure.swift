/// Why an import ended early.
package enum ImportFailure: Error, Sendable, Equatable {
    /// There are more rejects than were allowed; besides them, what had been written before and stays.
    case tooManyRejects(ImportCounts)
    /// The database refused more records of one transaction than it has room for; besides them, what had been written before and stays.
    case tooManyConstraintFailures(ImportCounts)
    /// The file has more records than an import takes (`FileLimits.maxRecords`); besides the last chunk, what had been written before and stays.
    case tooManyRecords(ImportCounts)
    /// The beginning of the file is wrong, and so nothing of it could be read.
    case unreadableFile(ImportCounts)

    /// As the log has it.
    package var word: String {
        switch self {
        case .tooManyRejects: "tooManyRejects"
        case .tooManyConstraintFailures: "tooManyConstraintFailures"
        case .tooManyRecords: "tooManyRecords"
        case .unreadableFile: "unreadableFile"
        }
    }

    /// Nil for a word that is none of them.
    package init?(_ word: String, _ counts: ImportCounts) {
        switch word {
        case "tooManyRejects": self = .tooManyRejects(counts)
        case "tooManyConstraintFailures": self = .tooManyConstraintFailures(counts)
        case "tooManyRecords": self = .tooManyRecords(counts)
        case "unreadableFile": self = .unreadableFile(counts)
        default: return nil
        }
    }

    package var kept: ImportCounts {
        switch self {
        case .tooManyRejects(let counts), .tooManyConstraintFailures(let counts), .tooManyRecords(let counts), .unreadableFile(let counts):
            counts
        }
    }
}
