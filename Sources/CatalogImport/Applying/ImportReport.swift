package import JSON

/// The result of an import.
package struct ImportReport: Sendable {
    package var counts = ImportCounts()
    /// The reason why items that the file does not have were not withdrawn, although `prunes` was set.
    package var pruneSkipped: PruneSkipped?

    package enum PruneSkipped: Sendable, Equatable {
        /// The file has rejects. An unreadable record can belong to any item.
        case rejects
        /// Too many items are missing. The file may be truncated.
        case tooMany(missing: Int, activeCount: Int)
    }
}

extension ImportReport.PruneSkipped: JSONEncodable, JSONDecodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .rejects: json.member("reason", "rejects")
            case .tooMany(let missing, let activeCount):
                json.member("reason", "tooManyMissing")
                json.member("missingCount", missing)
                json.member("activeCount", activeCount)
            }
        }
    }

    package init(from json: JSONReader) throws(JSONReadError) {
        var object = try json.object()
        let reason = object.required("reason", as: String.self)
        let (missing, activeCount) = (object.value("missingCount", default: 0), object.value("activeCount", default: 0))
        try object.finish()
        switch try reason() {
        case "rejects": self = .rejects
        case "tooManyMissing": self = .tooMany(missing: missing, activeCount: activeCount)
        default: throw object.refuse(.invalidChoice, at: "reason", "expected rejects or tooManyMissing")
        }
    }
}

/// The progress of a running import.
package enum ImportEvent {
    /// A chunk was written. If it is part of a larger transaction, it can still be rolled back.
    case written(ImportCounts, FileChunk, rejects: [[Reject]])
    /// All records up to here are committed.
    case kept(ImportCounts)
    /// The import pauses before its next chunk, because this number of changes of imports is not published yet.
    case waiting(changes: Int, pause: Duration)
    /// The file has been read, and a long operation on the whole catalog starts.
    case phase(ImportPhase)
}

package enum ImportPhase: String, Sendable, CaseIterable {
    case makingKeys = "creating the database indexes"
    case settling = "checking and indexing the items"
}

/// The options of an import.
package struct ImportOptions: Sendable {
    /// Whether all changes are written in one transaction and rolled back.
    package var isDryRun = false
    /// Whether the import is one transaction instead of one for each chunk.
    package var isAtomic = false
    /// Whether items of the file's kinds that the file does not have are withdrawn.
    package var prunes = false
    /// The maximum percentage of items of those kinds to withdraw. If more are missing, none are withdrawn.
    package var maxWithdrawnPercent = 20
    /// Whether the import may lock an empty catalog until the file ends. It must not if that can take long.
    package var closesEmptyCatalog = true
    /// The maximum number of rejects. One more reject ends the import.
    package var maxRejects = 100

    package init() {}
}
