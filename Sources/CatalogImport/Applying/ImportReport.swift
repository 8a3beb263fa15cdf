package import JSON

/// What an import did.
package struct ImportReport: Sendable {
    package var counts = ImportCounts()
    /// Why what is missing in the file was left alone although it was to be withdrawn.
    package var pruneSkipped: PruneSkipped?

    package enum PruneSkipped: Sendable, Equatable {
        /// A record that could not be read may be of any item.
        case rejects
        /// A file that was cut off misses much.
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

/// What an import tells while it runs.
package enum ImportEvent {
    /// A chunk was written; one that is part of a larger transaction may still be taken back.
    case written(ImportCounts, FileChunk, rejects: [[Reject]])
    /// All of this is committed, and stays whatever happens.
    case kept(ImportCounts)
    /// The file has been read, and something is done to the catalog as a whole, which takes its time.
    case phase(ImportPhase)
}

package enum ImportPhase: String, Sendable, CaseIterable {
    case makingKeys = "making keys"
    case settling = "checking and listing the items"
}

/// What an import may do.
package struct ImportOptions: Sendable {
    /// Writes all in one transaction, and takes it back.
    package var isDryRun = false
    /// All or nothing, instead of chunk by chunk.
    package var isAtomic = false
    /// Withdraws what the catalog has of the kinds of the file and the file has not.
    package var prunes = false
    /// Of a hundred items of those kinds; if more are missing in the file, none is withdrawn.
    package var maxWithdrawnPercent = 20
    /// Whether a catalog without items may be closed to others until the file ends; not where that may take long.
    package var closesEmptyCatalog = true
    /// With one more nothing further is applied.
    package var maxRejects = 100

    package init() {}
}
