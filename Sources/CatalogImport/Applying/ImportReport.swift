package import JSON

/// What an import did.
package struct ImportReport: Sendable {
    package var counts = ImportCounts()
    /// Why what is missing in the file was left alone although it was to be withdrawn.
    package var leftMissing: PruneSkipped?

    package enum PruneSkipped: Sendable, Equatable {
        /// A record that could not be read may be of any item.
        case rejects
        /// A file that was cut off misses much.
        case tooMany(missing: Int, living: Int)
    }
}

extension ImportReport.PruneSkipped: JSONEncodable {
    package func encode(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .rejects: json.member("reason", "rejects")
            case .tooMany(let missing, let living):
                json.member("reason", "tooMany")
                json.member("missing", missing)
                json.member("living", living)
            }
        }
    }
}
